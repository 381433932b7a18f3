import { expect, test } from 'vitest';
import { createIds } from '../create-ids.ts';
import type { SealedDraft } from '../events/event.ts';
import { createSeal } from '../events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { NO_TOTALS, type Run } from '../runs/run.ts';
import type { AcceptResult, NewFrame } from '../runs/run-store.ts';
import { createThreads } from './create-threads.ts';

const ADA = { kind: 'user', id: 1 } as const;
const RUN_ID = 'run_1' as RunId;

const run: Run = {
  id: RUN_ID,
  agentId: DEFAULT_AGENT_ID,
  owner: 'user:1',
  sessionId: undefined,
  projectId: undefined,
  exchange: undefined,
  thread: { id: 'thread_1', staysOpen: true },
  forkedFrom: undefined,
  source: 'internal',
  status: 'waiting',
  message: '',
  lastSeq: 1,
  output: undefined,
  stopReason: undefined,
  error: undefined,
  provider: undefined,
  model: undefined,
  totals: NO_TOTALS,
  createdAtMs: 0,
  startedAtMs: undefined,
  updatedAtMs: 0,
  endedAtMs: undefined,
};

/** Threads over a store that holds one run and answers every frame alike. */
function openThreads(result: AcceptResult = { outcome: 'accepted', seq: 2 }) {
  const ids = createIds(() => 0);
  const accepted: { readonly frame: NewFrame; readonly draft: SealedDraft }[] = [];
  const cancelled: string[] = [];
  const refuse = () => Promise.reject(new Error('not called here'));
  const threads = createThreads({
    runs: {
      find: async () => run,
      create: refuse,
      async acceptFrame(frame, draft) {
        accepted.push({ frame, draft });
        return result;
      },
    },
    agents: { find: refuse, findBySlug: refuse, list: refuse },
    sessions: { open: refuse },
    registry: { find: () => undefined },
    ids,
    seal: createSeal({ ids, redactor: createRedactor() }),
    maxQueued: 1,
    async cancelRun({ reason }) {
      cancelled.push(reason);
      return { run, recorded: true };
    },
  });
  const accept = (type: string, payload: JsonObject = {}) => {
    const ref = { runId: RUN_ID, threadId: 'thread_1', principal: ADA };
    return threads.accept({ ...ref, frameId: 'frm_1', type, payload });
  };
  return { accept, accepted, cancelled };
}

test('a secret in a message reaches neither the log nor the conversation', async () => {
  const { accept, accepted } = openThreads();

  await accept('user_message', { text: 'my password is hunter2!', api_key: 'abcdef' });

  const draft = accepted[0]?.draft;
  expect(JSON.parse(draft?.payload ?? '')).toEqual({
    frame_id: 'frm_1',
    type: 'user_message',
    payload: { text: 'my password is [REDACTED]', api_key: '[REDACTED]' },
  });
  expect(draft?.message?.content).toBe('my password is [REDACTED]');
  expect(JSON.parse(draft?.redactions ?? '')).toEqual([
    'payload.payload.text',
    'payload.payload.api_key',
  ]);
});

test('a frame is known by what it says, whatever the order of its keys', async () => {
  const { accept, accepted } = openThreads();

  await accept('note', { a: 1, b: { c: 2, d: 3 } });
  await accept('note', { b: { d: 3, c: 2 }, a: 1 });
  await accept('note', { a: 1, b: { c: 2, d: 4 } });
  await accept('other', { a: 1, b: { c: 2, d: 3 } });

  const [first, ...others] = accepted.map(({ frame }) => frame.digest);
  expect(others.map((digest) => digest === first)).toEqual([true, false, false]);
});

test('only frames that ask something of a run call it, and those that end it always fit', async () => {
  const { accept, accepted } = openThreads();

  for (const type of ['user_message', 'tool_output', 'presence', 'run_complete', 'toString']) {
    await accept(type);
  }

  expect(accepted.map(({ frame }) => [frame.isSilent, frame.maxFrames])).toEqual([
    [false, 10_000],
    [false, 10_000],
    [true, 10_000],
    [false, 10_100],
    [true, 10_000],
  ]);
});

test('a cancel frame cancels, also when it is sent again', async () => {
  const { accept, cancelled } = openThreads({ outcome: 'replayed' });

  await accept('cancel_requested', { reason: 'enough' });
  await accept('cancel', { reason: 7 });
  await accept('finish', { reason: 'done' });

  expect(cancelled).toEqual(['enough', 'cancel requested']);
});

test.each([
  [{ outcome: 'conflict' }, 'conflict'],
  [{ outcome: 'full' }, 'limit_reached'],
] as const)('%j is refused as %s', async (result, code) => {
  const { accept } = openThreads(result);

  await expect(accept('user_message', { text: 'hi' })).rejects.toMatchObject({ code });
});
