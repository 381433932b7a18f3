import { expect, test } from 'vitest';
import type { EventId, RunId } from '../../../core/ids.ts';
import { createRecentEvents } from './recent-events.ts';
import type { EventRow } from './run-batch.ts';
import { newRunRow, type RunRow } from './run-row.ts';

const RUN = 'run_1' as RunId;

function createRig() {
  let nowMs = 0;
  const recent = createRecentEvents(() => nowMs);
  const commit = (...seqs: number[]) => {
    const row = rowAt(seqs.at(-1) ?? 0);
    recent.note({ rows: [row], events: seqs.map(eventAt) });
  };
  const seqsAfter = (after: number, limit = 100) =>
    recent.find(RUN, { after, limit })?.map(({ seq }) => seq);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { recent, commit, seqsAfter, pass };
}

function eventAt(seq: number): EventRow {
  const id = `evt_${seq}` as EventId;
  const texts = { payload: '{"text":"a"}', redactions: '[]', prevHash: '', hash: '' };
  const about = { agentId: 'agent_default', type: 'model.delta', atMs: 0, actor: 'system' };
  return { runId: RUN, seq, id, ...about, ...texts } as EventRow;
}

function rowAt(lastSeq: number, status: RunRow['status'] = 'running'): RunRow {
  const run = { id: RUN, agentId: 'agent_default', source: 'api', message: 'hello' };
  return {
    ...newRunRow(run as never, { exchange: undefined, jobId: undefined }, 0),
    lastSeq,
    status,
  };
}

test('answers with what was committed after the cursor, a page of it at most', () => {
  const { commit, seqsAfter } = createRig();

  commit(1, 2);
  commit(3);

  expect([seqsAfter(0), seqsAfter(2), seqsAfter(3), seqsAfter(0, 2)]).toEqual([
    [1, 2, 3],
    [3],
    [],
    [1, 2],
  ]);
});

test('knows nothing of what came before it, nor of a cursor beyond the end', () => {
  const { commit, seqsAfter } = createRig();

  commit(5, 6);

  expect([seqsAfter(3), seqsAfter(4), seqsAfter(7)]).toEqual([undefined, [5, 6], undefined]);
});

test('begins anew behind a gap that another node has filled', () => {
  const { commit, seqsAfter } = createRig();
  commit(1, 2);

  commit(4);

  expect([seqsAfter(2), seqsAfter(3)]).toEqual([undefined, [4]]);
});

test('forgets a run whose row has moved on without it', () => {
  const { recent, commit, seqsAfter } = createRig();
  commit(1, 2);

  recent.note({ rows: [rowAt(3)], events: [] });

  expect(seqsAfter(0)).toBeUndefined();
});

test('takes no part of a commit that is answered after a later one', () => {
  const { commit, seqsAfter } = createRig();
  commit(1);
  commit(4, 5);

  commit(2, 3);

  expect([seqsAfter(1), seqsAfter(3)]).toEqual([undefined, undefined]);
});

test('asks the database again when nothing was committed here for a while', () => {
  const { commit, seqsAfter, pass } = createRig();
  commit(1);

  pass(2_001);

  expect(seqsAfter(0)).toBeUndefined();
});

test('keeps a bounded part of a long run', () => {
  const { commit, seqsAfter } = createRig();

  for (let seq = 1; seq <= 300; seq += 1) commit(seq);

  expect(seqsAfter(0)).toBeUndefined();
  expect(seqsAfter(299)).toEqual([300]);
});
