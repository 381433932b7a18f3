import { expect, test } from 'vitest';
import type { AgentId, RunId } from '../../../core/ids.ts';
import { createLogTails } from './log-tails.ts';

const agentId = 'agent_default' as AgentId;

test('of too many runs those that began first are forgotten, and some of them at once', () => {
  const tails = createLogTails({ maxBytes: 1e6, maxRuns: 16 });
  const ids = Array.from({ length: 17 }, (_, index) => `run_${index}` as RunId);

  for (const runId of ids) tails.begin({ runId, agentId, floorSeq: 0 });

  const known = ids.filter((runId) => tails.find(runId));
  expect(known).toEqual(ids.slice(3));
});
