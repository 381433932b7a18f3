import { join } from 'node:path';
import { createIds } from '../../../src/core/create-ids.ts';
import { createSeal } from '../../../src/core/events/seal.ts';
import { DEFAULT_AGENT_ID } from '../../../src/core/ids.ts';
import { silentLogger } from '../../../src/core/log.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { OWNER, THREAD_ID } from './thread-run.ts';

/** Of a run that is created and cancelled. */
const OWN_EVENTS = 3;

/** An ended run with so many events of that size, on a state root that nobody uses. */
export async function seedLargeRun(root: string, events: number, bytes: number): Promise<string> {
  const file = join(root, '.openclawssy/pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  const ids = createIds(() => Date.now());
  const seal = createSeal({
    ids,
    redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
  });
  await storage.agents.ensure({
    ...{ id: DEFAULT_AGENT_ID, name: 'Default', role: '', instructions: '' },
    ...{ model: undefined, createdAtMs: Date.now() },
  });
  const id = ids.run();
  const thread = { id: THREAD_ID, staysOpen: true };
  const run = { id, agentId: DEFAULT_AGENT_ID, owner: OWNER, source: 'test', message: '', thread };
  await storage.runs.create(run, [seal({ type: 'run.created', payload: {} })], { maxQueued: 1 });
  const delta = { type: 'model.delta', payload: { text: 'x'.repeat(bytes), turn: 1 } } as const;
  for (let seq = OWN_EVENTS; seq < events; seq += 1) await storage.runs.note(id, [seal(delta)]);
  await storage.runs.requestCancel(id, {
    requested: seal({ type: 'run.cancel_requested', payload: {} }),
    cancelled: seal({ type: 'run.cancelled', payload: {} }),
  });
  await storage.close();
  return id;
}
