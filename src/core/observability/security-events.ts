import type { LogFields, Logger } from '../log.ts';
import type { Tally } from './tally.ts';

export const SECURITY_EVENTS = [
  'auth_denied',
  'rate_limit_denied',
  'global_memory_access_denied',
  'project_budget_overrun',
] as const;

export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

export interface SecurityNote {
  readonly outcome: 'allowed' | 'denied' | 'warning';
  /** For the log: ids and counts, never payloads or secrets. */
  readonly about?: LogFields;
}

/** What whoever guards a server wants to hear of: counted for the summary, and a line in the log. Never throws. */
export interface SecurityEvents {
  note(event: SecurityEvent, note: SecurityNote): void;
}

export function createSecurityEvents(deps: {
  readonly tally: Pick<Tally, 'count'>;
  readonly logger: Logger;
}): SecurityEvents {
  return {
    note(event, { outcome, about }) {
      deps.tally.count('security_event', event);
      deps.logger.warn({ ...about, event_type: 'security', event, outcome }, 'security event');
    },
  };
}
