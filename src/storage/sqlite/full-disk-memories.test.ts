import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { createIds } from '../../core/create-ids.ts';
import type { AgentId } from '../../core/ids.ts';
import type { GivenMemory } from '../../core/memory/given-memory.ts';
import { createIngest } from '../../core/memory/ingest-memories.ts';
import { createRedactor } from '../../core/redact/create-redactor.ts';
import { loadMigrations } from '../load-migrations.ts';
import { createAgentRows } from './agent-rows.ts';
import { createBatchExecutor } from './batch-executor.ts';
import { createPorts } from './create-ports.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { createRecentEvents } from './runs/recent-events.ts';
import type { WriteRequest } from './write-ops.ts';
import type { Writer } from './writer.ts';

const NOW_MS = 1_800_000_000_000;
const nowMs = () => NOW_MS;

/** Memories on a disk that can be filled up. */
async function openMemories() {
  const temp = await openTempRoot();
  const file = join(temp.path, 'pincer.db');
  const db = openDatabase({ file, readOnly: false });
  onTestFinished(async () => {
    db.close();
    await temp.remove();
  });
  migrate(db, file, loadMigrations('sqlite'));
  const execute = createBatchExecutor(db);
  const writer = {
    async submit(op, ...args) {
      const { outcomes } = execute([{ op, args } as WriteRequest], NOW_MS);
      const [outcome] = outcomes;
      if (outcome?.ok) return outcome.value;
      throw outcome?.error ?? new Error('nothing came of the write');
    },
    close: async () => {},
  } as Writer;
  const read = async <T>(query: () => T) => query();
  const { memories: store } = createPorts({
    db,
    writer,
    read,
    recent: createRecentEvents(),
    agentRows: createAgentRows(),
    nowMs,
    wakeTopic() {},
  });
  const agent = { id: 'lince' as AgentId, memoryAccess: 'global' } as const;
  const ingest = createIngest({
    store,
    agents: { resolve: async () => agent } as never,
    ids: createIds(nowMs),
    redactor: createRedactor(),
  });
  const setRoom = (pages: number) => {
    const used = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
    db.exec(`PRAGMA max_page_count = ${used + pages}`);
  };
  return { store, ingest, setRoom };
}

function remember(name: string, chars: number): GivenMemory {
  return {
    ...{ owner: 'operator', agent: 'lince', projectId: 'proj_001', source: 'chat' },
    key: name,
    content: `${name} ${'x'.repeat(chars)}`,
  };
}

test('a full disk takes none of a batch of memories, and all of it when there is room again', async () => {
  const { store, ingest, setRoom } = await openMemories();
  await ingest([remember('first', 10)]);
  const before = await store.head();
  const batch = [remember('small', 10), remember('large', 90_000), remember('last', 10)];
  setRoom(4);

  const refused = await ingest(batch).catch((thrown: unknown) => thrown);
  const head = await store.head();
  const small = await ingest([remember('other', 10)]);
  setRoom(1_000);
  const again = await ingest(batch);

  expect(refused).toMatchObject({
    code: 'storage_unavailable',
    message: 'storage is unavailable: the disk is full',
  });
  expect(head).toEqual(before);
  expect(small).toMatchObject([{ outcome: 'stored' }]);
  expect(again.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored']);
  expect(await store.head()).toMatchObject({ memories: 5, revision: before.revision + 4 });
});
