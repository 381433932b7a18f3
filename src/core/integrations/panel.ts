import type { Clock } from '../clock.ts';
import { PANEL_SERVICES, type PanelId, type PanelService } from './panel-services.ts';

export type PanelStatus = 'connected' | 'review' | 'disconnected';

/** How it stands with one service outside. */
export interface PanelEntry {
  readonly id: PanelId;
  readonly name: string;
  /**
   * `connected`: it answered and took the key. `review`: something is missing, or it did not. `disconnected`: nothing is
   * set up.
   */
  readonly status: PanelStatus;
  readonly message: string;
  readonly recoveryAction: string | undefined;
  /** What the service said, when it was asked. */
  readonly check: Check | undefined;
}

export interface Check {
  readonly atMs: number;
  readonly durationMs: number;
  /** Undefined when nothing answered. */
  readonly httpStatus: number | undefined;
}

export interface Panel {
  /** Every service. One that was asked a moment ago is not asked again. */
  readStatus(): Promise<PanelEntry[]>;
  /** Asks it now, if all is there that it needs. */
  test(id: PanelId): Promise<PanelEntry>;
}

/** One harmless request with the key. */
export interface Probe {
  readonly name: string;
  readonly baseUrl: string;
  readonly path: string;
  readonly authorization: string;
  readonly key: string;
}

export type ProbeResult =
  | { readonly outcome: 'answered'; readonly httpStatus: number; readonly errorName?: string }
  | { readonly outcome: 'unreachable'; readonly message: string };

export interface PanelDeps {
  /** As the operator has set it; asked for every check. */
  readonly findPlace: (section: PanelService['section']) => PanelPlace;
  readonly findSecret: (name: string) => Promise<string | undefined>;
  /** Bounded in time; never throws. */
  readonly probe: (probe: Probe) => Promise<ProbeResult>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface PanelPlace {
  readonly baseUrl: string | undefined;
  /** In place of the usual one. */
  readonly testPath?: string;
}

/** However often people look, a service is asked no more than this. */
const KEPT_MS = 60_000;

interface Inquiry {
  readonly probe: Probe;
  readonly atMs: number;
  readonly entry: Promise<PanelEntry>;
  isOver: boolean;
}

export function createPanel(deps: PanelDeps): Panel {
  const inquiries = new Map<PanelId, Inquiry>();

  async function look(service: PanelService, maxAgeMs: number): Promise<PanelEntry> {
    const { baseUrl, testPath = service.testPath } = deps.findPlace(service.section);
    const key = (await deps.findSecret(service.secretName)) || undefined;
    if (baseUrl === undefined || key === undefined) return incomplete(service, { baseUrl, key });
    const { name, scheme } = service;
    const probe = { name, baseUrl, path: testPath, authorization: `${scheme} ${key}`, key };
    const known = inquiries.get(service.id);
    if (known === undefined || !isSameProbe(known.probe, probe)) return inquire(service, probe);
    // Whoever comes while it is asked waits with the others.
    const isCurrent = !known.isOver || deps.clock.nowMs() - known.atMs < maxAgeMs;
    return isCurrent ? known.entry : inquire(service, probe);
  }

  function inquire(service: PanelService, probe: Probe): Promise<PanelEntry> {
    const entry = ask(deps, service, probe).finally(() => {
      inquiry.isOver = true;
    });
    const inquiry: Inquiry = { probe, atMs: deps.clock.nowMs(), entry, isOver: false };
    inquiries.set(service.id, inquiry);
    return entry;
  }

  return {
    readStatus: () => Promise.all(PANEL_SERVICES.map((service) => look(service, KEPT_MS))),
    test: (id) => look(findService(id), 0),
  };
}

function findService(id: PanelId): PanelService {
  const service = PANEL_SERVICES.find((one) => one.id === id);
  if (service === undefined) throw new TypeError(`there is no integration ${id}`);
  return service;
}

function isSameProbe(one: Probe, other: Probe): boolean {
  return one.baseUrl === other.baseUrl && one.path === other.path && one.key === other.key;
}

/** Something that it needs is missing, so nobody was asked. */
function incomplete(
  service: PanelService,
  { baseUrl, key }: { readonly baseUrl: string | undefined; readonly key: string | undefined },
): PanelEntry {
  const missing = [
    ...(baseUrl === undefined ? [`set integrations.${service.section}.base_url`] : []),
    ...(key === undefined ? [`store its key with claw secrets set ${service.secretName}`] : []),
  ];
  // A base URL that is there by default is nothing that somebody set up.
  const isBegun = key !== undefined || (service.needsBaseUrl && baseUrl !== undefined);
  return {
    id: service.id,
    name: service.name,
    status: isBegun ? 'review' : 'disconnected',
    message: isBegun ? `${service.name} is half set up` : `${service.name} is not set up`,
    recoveryAction: `To use it, ${missing.join(' and ')}.`,
    check: undefined,
  };
}

async function ask(deps: PanelDeps, service: PanelService, probe: Probe): Promise<PanelEntry> {
  const atMs = deps.clock.nowMs();
  const result = await deps.probe(probe);
  const httpStatus = result.outcome === 'answered' ? result.httpStatus : undefined;
  return {
    id: service.id,
    name: service.name,
    ...judge(service, result),
    check: { atMs, durationMs: deps.clock.nowMs() - atMs, httpStatus },
  };
}

type Judgement = Pick<PanelEntry, 'status' | 'message' | 'recoveryAction'>;

function judge(service: PanelService, result: ProbeResult): Judgement {
  const { name, section, secretName, takesAnyway } = service;
  const checkPlace = `Check integrations.${section}.base_url, and that it can be reached from here.`;
  if (result.outcome === 'unreachable') {
    return { status: 'review', message: result.message, recoveryAction: checkPlace };
  }
  const { httpStatus, errorName } = result;
  const isTaken = httpStatus >= 200 && httpStatus < 300;
  if (isTaken || (errorName !== undefined && errorName === takesAnyway)) {
    const message = `${name} answered ${httpStatus} and takes the key`;
    return { status: 'connected', message, recoveryAction: undefined };
  }
  if (httpStatus === 401 || httpStatus === 403) {
    return {
      status: 'review',
      message: `${name} answered ${httpStatus} and does not take the key`,
      recoveryAction: `Store a valid key with claw secrets set ${secretName}.`,
    };
  }
  const message = `${name} answered ${httpStatus}`;
  return { status: 'review', message, recoveryAction: checkPlace };
}
