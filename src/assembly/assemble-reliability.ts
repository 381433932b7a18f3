import { join } from 'node:path';
import type { Closing } from '../closing-list.ts';
import { readReliabilityFlag } from '../config/environment.ts';
import type { LiveConfig } from '../config/live-config.ts';
import { toReliabilityOverrides } from '../config/to-reliability-overrides.ts';
import { systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { toJsonValue } from '../core/json.ts';
import type { Logger } from '../core/log.ts';
import { matchesName } from '../core/policy/policy-rule.ts';
import type { Redactor } from '../core/redact/redact.ts';
import { createReliability } from '../core/reliability/create-reliability.ts';
import { IdempotencyManager } from '../core/reliability/idempotency/idempotency-manager.ts';
import { logReliability } from '../core/reliability/log-reliability.ts';
import type { ReliabilityEvent } from '../core/reliability/observer.ts';
import { resolveMode } from '../core/reliability/reliability-mode.ts';
import { resolveSettings } from '../core/reliability/settings.ts';
import { createShadowTally } from '../core/reliability/shadow-tally.ts';
import type { Storage } from '../core/storage.ts';
import type { Metrics, Tracer } from '../core/telemetry.ts';
import type { Tool } from '../core/tools/tool.ts';
import { openShadowReportFile } from '../storage/files/open-shadow-report-file.ts';

export interface ReliabilityGround {
  readonly closing: Closing;
  readonly live: LiveConfig;
  readonly storage: Storage;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
}

/** A database under load is slow, not gone; a call with a caller's key waits for it. */
const CALLER_KEY_TIMEOUT_MS = 15_000;

/** Retries, circuits and deduplication, with the stores that the configuration names. */
export async function assembleReliability(ground: ReliabilityGround) {
  const { live, logger, redactor, metrics } = ground;
  const { config, paths } = live.current();
  const stores = await openStores(ground);
  ground.closing.add(() => stores.close());
  const shadow = createShadowTally({
    clock: systemClock,
    logger,
    store: openShadowReportFile(join(paths.stateDir, 'shadow-report.json')),
  });
  ground.closing.add(() => shadow.stop());
  const observe = (event: ReliabilityEvent) => {
    metrics.reliability(event);
    logReliability(logger, event);
    shadow.observe(event);
  };
  const redact = (value: unknown) => redactor.redact(toJsonValue(value), '').value;
  const reliability = createReliability({
    clock: systemClock,
    idempotencyStore: stores.idempotency,
    ...defined({ breakerStore: stores.breakers }),
    tracer: ground.tracer,
    observe,
    redact,
  });
  const callerKeys = new IdempotencyManager({
    store: ground.storage.idempotency,
    clock: systemClock,
    newId: reliability.newId,
    deadlines: reliability.deadlines,
    observe,
    redact,
    storeTimeoutMs: CALLER_KEY_TIMEOUT_MS,
    fallback: 'nothing',
  });
  const overrides = toReliabilityOverrides(config.tool_reliability.overrides, paths.configFile);
  const settings = new Map<string, ReturnType<typeof resolveSettings>>();
  return {
    reliability,
    callerKeys,
    shadow,
    breakerStore: stores.breakers,
    mode: () => resolveMode(readReliabilityFlag(), live.current().config.tool_reliability.mode),
    settingsOf(tool: Tool) {
      const known = settings.get(tool.name) ?? resolveSettings(overrideOf(overrides, tool.name));
      settings.set(tool.name, known);
      return known;
    },
  };
}

/** The longest pattern that fits says most about the tool. */
function overrideOf(overrides: ReturnType<typeof toReliabilityOverrides>, tool: string) {
  const fitting = [...overrides].filter(([pattern]) => matchesName(pattern, tool));
  return fitting.sort(([a], [b]) => b.length - a.length)[0]?.[1];
}

async function openStores({ live, storage, logger }: ReliabilityGround) {
  const { config, credentials } = live.current();
  const { redisUrl } = credentials;
  if (redisUrl !== undefined) {
    const { openRedisStores } = await import('../storage/redis/open-redis-stores.ts');
    return openRedisStores({ url: redisUrl, logger });
  }
  const isKept = config.tool_reliability.keep_breakers;
  return {
    idempotency: storage.idempotency,
    breakers: isKept ? storage.breakers : undefined,
    close: async () => {},
  };
}
