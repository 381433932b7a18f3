import { randomUUID } from 'node:crypto';
import type { Closing } from './closing-list.ts';
import { systemClock } from './core/clock.ts';
import type { Logger } from './core/log.ts';
import { createSecurityEvents, type SecurityEvents } from './core/observability/security-events.ts';
import { createReadSummary, type ReadSummary } from './core/observability/summary.ts';
import { createTally, type Tally } from './core/observability/tally.ts';
import type { Storage } from './core/storage.ts';

export interface Observability {
  readonly tally: Pick<Tally, 'count'>;
  readonly securityEvents: SecurityEvents;
  readonly readSummary: ReadSummary;
}

export interface ObservabilityGround {
  readonly storage: Pick<Storage, 'counts'>;
  readonly logger: Logger;
  readonly closing: Closing;
}

/** What this process refuses and what fails in it is counted from now on. */
export function openObservability(ground: ObservabilityGround): Observability {
  const { storage, logger, closing } = ground;
  const clock = systemClock;
  const tally = createTally({ store: storage.counts, clock, logger, node: randomUUID() });
  closing.add(() => tally.stop());
  return {
    tally,
    securityEvents: createSecurityEvents({ tally, logger }),
    readSummary: createReadSummary({
      store: storage.counts,
      clock,
      flush: () => tally.flush(),
    }),
  };
}
