import { expect, test } from 'vitest';
import type { EventId, RunId } from '../../../core/ids.ts';
import { createRecentEvents } from './recent-events.ts';
import type { EventRow } from './run-batch.ts';
import { newRunRow, type RunRow } from './run-row.ts';

const RUN = 'run_1' as RunId;

function createRig() {
  let nowMs = 0;
  const recent = createRecentEvents(() => nowMs);
  /** What is called when its answer comes. */
  const send = (...seqs: number[]) => {
    const begun = recent.begin();
    const row = rowAt(seqs.at(-1) ?? 0);
    return () => recent.note({ rows: [row], events: seqs.map(eventAt), begun });
  };
  const commit = (...seqs: number[]) => send(...seqs)();
  const seqsAfter = (after: number, limit = 100) =>
    recent.find(RUN, { after, limit })?.map(({ seq }) => seq);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { recent, send, commit, seqsAfter, pass };
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

  recent.note({ rows: [rowAt(3)], events: [], begun: recent.begin() });

  expect(seqsAfter(0)).toBeUndefined();
});

test('takes no part of a commit that is answered after a later one', () => {
  const { send, commit, seqsAfter } = createRig();
  commit(1);
  const answerLate = send(2, 3);
  commit(4, 5);

  answerLate();

  expect([seqsAfter(1), seqsAfter(3)]).toEqual([undefined, undefined]);
});

test('does not take for the end of a log what another node may have added to meanwhile', () => {
  const { recent, send, commit, seqsAfter } = createRig();
  const told = [() => recent.forget(RUN), () => recent.clear()];

  const known = told.map((tell) => {
    const answer = send(1);
    // The news of an event behind it comes before the answer.
    tell();
    answer();
    return seqsAfter(0);
  });
  commit(5);

  expect([...known, seqsAfter(4)]).toEqual([undefined, undefined, [5]]);
});

test('does not take for the end of a log what was claimed here before the answer to it came', () => {
  const { recent, send, seqsAfter } = createRig();
  const answerLate = send(1, 2);
  recent.note({ rows: [rowAt(3)], events: [], begun: recent.begin() });

  answerLate();

  expect(seqsAfter(0)).toBeUndefined();
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
