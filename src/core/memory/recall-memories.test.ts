import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { AgentId, MemoryId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createGate } from '../runs/gate.ts';
import type { StoredMemory } from './memory-store.ts';
import { createRecall } from './recall-memories.ts';

const TIMEOUT_MS = 500;

const pinned = {
  id: 'mem_1' as MemoryId,
  source: 'chat',
  timestampMs: 0,
  isTrusted: true,
  content: 'Speak politely',
} as StoredMemory;

test('an index that takes too long costs what it would have found, and nothing that is pinned', async () => {
  const clock = new ManualClock();
  const asked = createGate();
  const recall = createRecall({
    memories: {
      listPinned: async () => [pinned],
      search() {
        asked.open();
        return new Promise(() => {});
      },
    },
    store: { head: async () => ({ revision: 1, memories: 1, purgedThrough: 0 }) },
    ingests: () => 0,
    clock,
    logger: silentLogger,
    settings: () => ({
      isOn: true,
      contextChars: 4_000,
      maxRecalled: 8,
      timeoutMs: TIMEOUT_MS,
    }),
  });

  const recalled = recall({
    ...{ owner: 'operator', agentId: 'agent_default' as AgentId, projectId: undefined },
    ...{ text: 'when is tea?', signal: new AbortController().signal },
  });
  await asked.wait();
  clock.advance(TIMEOUT_MS);

  expect(await recalled).toMatchObject({ memoryIds: ['mem_1'], isTrusted: true });
});
