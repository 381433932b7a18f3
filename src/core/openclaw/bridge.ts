/** The way to agents that live in an OpenClaw gateway, as operators see it. */
export interface Bridge {
  status(): BridgeStatus;
  /**
   * Tries at once, also after a refusal; the answer is how it stands then. Throws `provider_misconfigured` when no
   * gateway is configured.
   */
  connect(): Promise<BridgeStatus>;
}

export const BRIDGE_DIALECTS = ['gateway', 'clawos'] as const;
export type BridgeDialect = (typeof BRIDGE_DIALECTS)[number];

/**
 * `off`: no gateway is configured. `idle`: nobody has needed it yet. `waiting`: it was lost and is tried again.
 * `refused`: the gateway does not let us in, and trying again would not help. `given_up`: it was tried often enough;
 * the next run that needs it tries again.
 */
export const BRIDGE_STATES = [
  'off',
  'idle',
  'connecting',
  'connected',
  'waiting',
  'refused',
  'given_up',
] as const;
export type BridgeState = (typeof BRIDGE_STATES)[number];

export interface BridgeStatus {
  readonly state: BridgeState;
  readonly url: string | undefined;
  readonly dialect: BridgeDialect | undefined;
  /** Under which a gateway knows this installation. */
  readonly deviceId: string | undefined;
  readonly gateway: GatewayFacts | undefined;
  readonly connectedAtMs: number | undefined;
  /** Failures in a row. */
  readonly failures: number;
  readonly nextAttemptAtMs: number | undefined;
  readonly lastError: BridgeFault | undefined;
  /** Runs that an agent there is working on. */
  readonly openRuns: number;
  /** What the gateway sent that belongs to no run here. */
  readonly unclaimedEvents: number;
}

/** What a gateway says of itself. */
export interface GatewayFacts {
  readonly version: string | undefined;
  readonly protocol: number | undefined;
  readonly scopes: readonly string[];
}

export interface BridgeFault {
  readonly code: string;
  readonly message: string;
  /** What an operator can do about it. */
  readonly action: string;
  readonly atMs: number;
}

export const BRIDGE_OFF: BridgeStatus = {
  state: 'off',
  url: undefined,
  dialect: undefined,
  deviceId: undefined,
  gateway: undefined,
  connectedAtMs: undefined,
  failures: 0,
  nextAttemptAtMs: undefined,
  lastError: undefined,
  openRuns: 0,
  unclaimedEvents: 0,
};

/** What an operator has to know of it. */
export function listBridgeWarnings({ state, url, lastError }: BridgeStatus): readonly string[] {
  if (state !== 'refused' && state !== 'given_up') return [];
  const { message, action } = lastError ?? { message: 'it gave no reason', action: 'see its log' };
  return [`OpenClaw at ${url} (${state}): ${message}; to fix: ${action}`];
}
