import { join } from 'node:path';
import { createIds } from '../../src/core/create-ids.ts';
import type { EventDraft, SealedDraft } from '../../src/core/events/event.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact/create-redactor.ts';
import type { LeaseRef } from '../../src/core/runs/run-store.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { type AppendTarget, EVENT_BYTES, RUNS } from './append-load.ts';

export interface PincerStore {
  readonly writer: 'thread' | 'inline';
  /** Whether each event is redacted and encoded anew, as the core does, or comes ready. */
  readonly isSealing: boolean;
}

const ids = createIds(() => Date.now());
const redactor = createRedactor({ secrets: () => ['a-token-that-no-payload-holds'] });
const seal = createSeal({ ids, redactor });
const LEASE_MS = 600_000;

/** Our store with its runs created and claimed, so that only appends are measured. */
export async function openPincerStore(store: PincerStore, dir: string): Promise<AppendTarget> {
  const storage = await openSqliteStorage({
    file: join(dir, 'pincer.db'),
    writer: store.writer,
    logger: silentLogger,
  });
  const leases = await Promise.all(Array.from({ length: RUNS }, () => createRun(storage)));
  const parsed = new Map<string, JsonObject>();

  function toDraft(payload: string): SealedDraft {
    if (!store.isSealing) return { ...READY, id: ids.event(), payload };
    const value = parsed.get(payload) ?? (JSON.parse(payload) as JsonObject);
    parsed.set(payload, value);
    return seal({ type: 'model.delta', actor: 'model', payload: value });
  }

  return {
    payloadBytes: EVENT_BYTES - OTHER_BYTES,
    async append(run, payload) {
      const lease = leases[run];
      if (!lease) throw new Error(`there is no run ${run}`);
      const result = await storage.runs.append(lease, [toDraft(payload)]);
      if (result.outcome !== 'appended')
        throw new Error(`the append was refused: ${result.reason}`);
    },
    close: () => storage.close(),
  };
}

const READY = seal({ type: 'model.delta', actor: 'model', payload: {} });
const OTHER_BYTES = [READY.id, READY.type, READY.actor, READY.redactions].join('').length;

async function createRun(storage: Storage): Promise<LeaseRef> {
  const draft = (type: EventDraft['type']) => seal({ type, payload: {} });
  const result = await storage.runs.create(
    { id: ids.run(), agentId: DEFAULT_AGENT_ID, source: 'bench', message: 'measure' },
    [draft('run.created')],
    {
      maxQueued: RUNS,
      lease: { owner: 'bench', leaseMs: LEASE_MS, started: draft('run.started') },
    },
  );
  if (result.outcome !== 'created' || !result.lease) throw new Error('the run was not created');
  return { runId: result.run.id, leaseId: result.lease.id };
}
