import type { EventsConfig } from '../config/schema/events-schema.ts';
import { systemClock } from '../core/clock.ts';
import { createJanitor, type Janitor, type RetentionSettings } from '../core/events/janitor.ts';
import type { Logger } from '../core/log.ts';
import type { Storage } from '../core/storage.ts';

export interface RetentionGround {
  readonly storage: Storage;
  readonly logger: Logger;
  /** As it is now: asked before every batch. */
  readonly config: () => EventsConfig;
}

const DAY_MS = 86_400_000;

/** Deletes old events while a server runs. The caller starts and stops it. */
export function assembleRetention({ storage, logger, config }: RetentionGround): Janitor {
  return createJanitor({
    retention: storage.retention,
    clock: systemClock,
    logger,
    settings: () => toRetentionSettings(config()),
  });
}

function toRetentionSettings(config: EventsConfig): RetentionSettings {
  const { retention_days: days, retention_max_per_run: maxEvents } = config;
  return {
    maxAgeMs: days === 0 ? undefined : days * DAY_MS,
    maxEventsPerRun: maxEvents === 0 ? undefined : maxEvents,
    graceMs: config.retention_grace_ms,
    intervalMs: config.janitor_interval_ms,
  };
}
