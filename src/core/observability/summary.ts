import type { Clock } from '../clock.ts';
import { compareTexts } from '../compare-texts.ts';
import { type Count, type CountKind, type CountStore, MINUTE_MS } from './counts.ts';

/** How a server has fared of late, for whoever watches it. */
export interface Summary {
  readonly generatedAtMs: number;
  readonly windowMinutes: number;
  readonly totalSecurityEvents: number;
  readonly totalErrors: number;
  /** Most often first. */
  readonly securityEvents: readonly Count[];
  readonly errorTaxonomies: readonly Count[];
  readonly alertStatus: 'nominal' | 'watch' | 'critical';
  readonly alerts: readonly Alert[];
}

export interface Alert {
  /** What there is too much of. */
  readonly key: string;
  readonly times: number;
  readonly threshold: number;
  readonly message: string;
  readonly recoveryAction: string;
}

export type ReadSummary = (windowMinutes: number) => Promise<Summary>;

export const DEFAULT_WINDOW_MINUTES = 60;
export const MAX_WINDOW_MINUTES = 1440;

interface Rule extends Pick<Alert, 'key' | 'threshold' | 'message' | 'recoveryAction'> {
  readonly kind: CountKind;
}

const RULES: readonly Rule[] = [
  {
    kind: 'security_event',
    key: 'auth_denied',
    threshold: 5,
    message: 'callers come with a missing or a wrong token',
    recoveryAction:
      'Look in the log for auth_denied to see who they are; set a new token if one may have leaked.',
  },
  {
    kind: 'security_event',
    key: 'global_memory_access_denied',
    threshold: 3,
    message: 'global memory was asked for without approval',
    recoveryAction: 'Check which agents need global memory, and approve it only for those.',
  },
  {
    kind: 'error_taxonomy',
    key: 'throttle',
    threshold: 3,
    message: 'requests are refused because there are too many',
    recoveryAction: 'Slow the caller down, or raise the limit that the log names.',
  },
  {
    kind: 'error_taxonomy',
    key: 'dependency',
    threshold: 3,
    message: 'services that are needed fail',
    recoveryAction: 'Check keys and addresses with GET /api/integrations/status and claw doctor.',
  },
];

/** With one alert, or this many of anything, somebody should have a look. */
const WATCH_COUNT = 5;
const CRITICAL_ALERTS = 2;

export interface Observed {
  readonly counts: readonly Count[];
  readonly nowMs: number;
  readonly windowMinutes: number;
}

export function summarize({ counts, nowMs, windowMinutes }: Observed): Summary {
  const securityEvents = ofKind(counts, 'security_event');
  const errorTaxonomies = ofKind(counts, 'error_taxonomy');
  const totalSecurityEvents = total(securityEvents);
  const totalErrors = total(errorTaxonomies);
  const alerts = RULES.flatMap(({ kind, ...rule }): Alert[] => {
    const times = counts.find((one) => one.kind === kind && one.key === rule.key)?.times ?? 0;
    return times < rule.threshold ? [] : [{ ...rule, times }];
  });
  const isWatched =
    alerts.length > 0 || totalSecurityEvents >= WATCH_COUNT || totalErrors >= WATCH_COUNT;
  return {
    generatedAtMs: nowMs,
    windowMinutes,
    ...{ totalSecurityEvents, totalErrors, securityEvents, errorTaxonomies, alerts },
    alertStatus: alerts.length >= CRITICAL_ALERTS ? 'critical' : isWatched ? 'watch' : 'nominal',
  };
}

function ofKind(counts: readonly Count[], kind: CountKind): Count[] {
  return counts
    .filter((one) => one.kind === kind)
    .sort((a, b) => b.times - a.times || compareTexts(a.key, b.key));
}

function total(counts: readonly Count[]): number {
  return counts.reduce((sum, { times }) => sum + times, 0);
}

export interface SummaryDeps {
  readonly store: Pick<CountStore, 'sum'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** So that what has just happened is in it. */
  readonly flush?: () => Promise<void>;
}

/** The window is brought to 1 to 1440 whole minutes. */
export function createReadSummary({ store, clock, flush }: SummaryDeps): ReadSummary {
  return async (asked) => {
    await flush?.();
    const nowMs = clock.nowMs();
    const windowMinutes = Math.min(MAX_WINDOW_MINUTES, Math.max(1, Math.trunc(asked)));
    const counts = await store.sum(nowMs - windowMinutes * MINUTE_MS);
    return summarize({ counts, nowMs, windowMinutes });
  };
}
