import { createHash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/log.ts';
import type { BridgeDialect } from '../core/openclaw/bridge.ts';
import { ConnectionRefused } from './connection-fault.ts';
import { type DeviceIdentity, openDeviceIdentity } from './device-identity.ts';
import { GatewayBridge } from './gateway-bridge.ts';
import { openClawosSession } from './open-clawos-session.ts';
import { openGatewaySession } from './open-gateway-session.ts';
import type { Credentials, Session, UnclaimedUsage } from './session.ts';

export interface BridgeSettings {
  readonly url: string;
  readonly dialect: BridgeDialect;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxReconnects: number;
  readonly allowPlaintext: boolean;
}

export interface OpenBridgeDeps {
  readonly settings: BridgeSettings;
  /** Where the identity of this installation lies, or will. */
  readonly deviceFile: string;
  /** Asked with every attempt. */
  readonly findCredentials: () => Promise<Credentials>;
  readonly onUsage: (usage: UnclaimedUsage) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
}

/** A bridge to the gateway of the configuration. Nothing is connected until somebody starts or needs it. */
export function openBridge(deps: OpenBridgeDeps): GatewayBridge {
  const { settings, clock, logger } = deps;
  let identity: DeviceIdentity | undefined;

  async function open(): Promise<Session> {
    assertConfidential(settings);
    identity ??= await openDeviceIdentity(deps.deviceFile);
    const given = await deps.findCredentials();
    const stored = identity.findToken(settings.url);
    const hasGiven = given.token !== undefined || given.password !== undefined;
    try {
      return await openWith(identity, hasGiven ? given : { ...given, token: stored });
    } catch (thrown) {
      const isWorthOne = hasGiven && stored !== undefined && stored !== given.token;
      if (!isWorthOne || !isTokenMismatch(thrown)) throw thrown;
      // The shared token was changed; what the gateway gave this device still stands, or nothing does.
      return await openWith(identity, { token: stored, password: undefined });
    }
  }

  function openWith(device: DeviceIdentity, credentials: Credentials): Promise<Session> {
    const { url, connectTimeoutMs, requestTimeoutMs } = settings;
    const request = {
      ...{ url, connectTimeoutMs, requestTimeoutMs, credentials, identity: device },
      ...{ onUnclaimed: () => bridge.countUnclaimed(), onUsage: deps.onUsage },
    };
    return settings.dialect === 'clawos'
      ? openClawosSession({ clock }, request)
      : openGatewaySession({ clock, version: deps.version }, request);
  }

  const bridge = new GatewayBridge({
    ...{ url: settings.url, dialect: settings.dialect, maxReconnects: settings.maxReconnects },
    ...{ clock, logger, open },
    findCredentialMark: async () => toMark(await deps.findCredentials()),
    findDeviceId: () => identity?.id,
  });
  return bridge;
}

function isTokenMismatch(thrown: unknown): boolean {
  return thrown instanceof ConnectionRefused && thrown.code === 'AUTH_TOKEN_MISMATCH';
}

/** A token is not shown to everybody on the way: beyond this machine the connection is encrypted, or somebody said otherwise. */
function assertConfidential({ url, allowPlaintext }: BridgeSettings): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'wss:' || allowPlaintext || isLoopback(hostname)) return;
  throw new ConnectionRefused(
    'plaintext',
    `${url} is not encrypted and leaves this machine`,
    'use a wss:// address or a tunnel, or set openclaw.allow_plaintext to true where the network is trusted',
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** To compare, and to keep nothing that could be used. */
function toMark({ token, password }: Credentials): string {
  return createHash('sha256')
    .update(JSON.stringify([token, password]))
    .digest('hex');
}
