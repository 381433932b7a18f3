import { expect, test } from 'vitest';
import { type LoopRig, type LoopRigOptions, openLoopRig } from '../../../test/runs/loop-rig.ts';
import { RuntimeError } from '../errors.ts';
import { messageTextOf } from '../threads/frame.ts';
import type { Message, Model, ModelPart } from './model.ts';

const CLIENT_TOOLS = [{ name: 'map.show', description: '', inputSchema: {} }];
const USAGE = { inputTokens: 1, outputTokens: 1 };

interface AnyModel extends Model {
  readonly requests: readonly (readonly Message[])[];
}

/** Answers each request with the parts that `answer` makes of it. */
function modelOf(answer: (messages: readonly Message[]) => readonly ModelPart[]): AnyModel {
  const requests: (readonly Message[])[] = [];
  return {
    provider: 'test',
    name: 'test',
    toolCalls: 'native',
    requests,
    async *stream({ messages }) {
      requests.push(messages);
      yield* answer(messages);
    },
  };
}

const say = (text: string): ModelPart[] => [
  { type: 'text', delta: text },
  { type: 'finish', reason: 'stop', usage: USAGE },
];

const call = (...tools: readonly string[]): ModelPart[] => [
  ...tools.map((tool, index): ModelPart => {
    return { type: 'tool_call', call: { callId: `call_${index}`, tool, input: { index } } };
  }),
  { type: 'finish', reason: 'tool_calls', usage: USAGE },
];

/** Calls the tools that a message names after `call`, and echoes everything else. */
function obedientModel(): AnyModel {
  return modelOf((messages) => {
    const last = messages.at(-1);
    const text = last?.text ?? '';
    if (last?.role === 'user' && text.startsWith('call ')) return call(...text.slice(5).split(' '));
    return say(`re: ${text}`);
  });
}

function open(options: Partial<LoopRigOptions> = {}) {
  const model = obedientModel();
  return { model, rig: openLoopRig({ model, clientTools: CLIENT_TOOLS, ...options }) };
}

const typesOf = ({ log }: LoopRig) =>
  log.map(({ type }) => type).filter((type) => type !== 'model.delta');

test('a tool result behind an end comes too late: nothing is asked of the model after it', async () => {
  const { rig, model } = open();
  rig.send('user_message', { text: 'call map.show' });
  await rig.run();
  rig.send('finish');
  rig.send('tool_result', { tool_call_id: 'call_0', output: {} });

  const reached = await rig.run();

  expect(reached).toMatchObject({ status: 'completed' });
  expect(model.requests).toHaveLength(1);
  expect(rig.fold().messages.at(-1)).toMatchObject({ role: 'tool', ok: false });
});

test.each(['fail', 'cancel'])(
  'a %s frame is not kept waiting by messages before it',
  async (type) => {
    const { rig, model } = open();
    rig.send('user_message', { text: 'never answered' });
    rig.send(type, { reason: 'gone' });

    const reached = await rig.run();

    expect(reached).toMatchObject({ status: type === 'fail' ? 'failed' : 'cancelled' });
    expect(model.requests).toEqual([]);
  },
);

test.each(['fail', 'cancel'])(
  'a %s frame stops an answer between two of its steps',
  async (type) => {
    let isSent = false;
    const model = modelOf(() => {
      if (!isSent) rig.send(type);
      isSent = true;
      return call('look');
    });
    const { rig } = open({ model });
    rig.send('user_message', { text: 'go' });

    const reached = await rig.run();

    expect(reached).toMatchObject({ status: type === 'fail' ? 'failed' : 'cancelled' });
    expect(model.requests).toHaveLength(1);
    expect(rig.fold().pending).toEqual([]);
  },
);

test('the same question again and again is no loop: each has an answer of its own', async () => {
  const { rig } = open();

  for (let no = 0; no < 6; no += 1) {
    rig.send('user_message', { text: 'call look' });
    expect(await rig.run()).toBe('resting');
  }

  expect(typesOf(rig).filter((type) => type === 'tool.result')).toHaveLength(6);
});

test('failures of earlier messages do not hand a later one back', async () => {
  const { rig } = open();

  for (let no = 0; no < 6; no += 1) {
    rig.send('user_message', { text: 'call fail' });
    expect(await rig.run()).toBe('resting');
  }

  expect(rig.fold().recovery.isActive).toBe(false);
});

test('calls of one run have ids of their own, so that a late result meets no later call', async () => {
  const { rig } = open();
  rig.send('user_message', { text: 'call map.show' });
  await rig.run();
  rig.send('tool_result', { tool_call_id: 'call_0', output: { no: 1 } });
  rig.send('user_message', { text: 'call map.show' });
  await rig.run();
  rig.send('tool_result', { tool_call_id: 'call_0', output: { no: 1 } });
  await rig.run();

  const [waiting] = rig.fold().pending;
  const ignored = rig.log.filter(({ type }) => type === 'frame.ignored');

  expect(waiting?.request).toEqual({ callId: 'call_0-2', tool: 'map.show', input: { index: 0 } });
  expect(ignored.map(({ payload }) => payload['frame_id'])).toEqual(['frm_4']);
});

test('frames whose ids are redacted alike are still told apart', async () => {
  const { rig, model } = open();
  rig.send('user_message', { text: 'call map.show map.show' });
  await rig.run();
  for (const no of [0, 1]) {
    rig.send('tool_result', { tool_call_id: `call_${no}`, output: { no } });
    Object.assign(rig.log.at(-1)?.payload ?? {}, { frame_id: '[REDACTED]' });
  }

  await rig.run();

  expect(model.requests.at(-1)?.slice(-2)).toMatchObject([
    { callId: 'call_0', text: '{"no":0}' },
    { callId: 'call_1', text: '{"no":1}' },
  ]);
});

test('the words of a client that fails a run are bounded', async () => {
  const { rig } = open();
  rig.send('fail', { reason_class: 'x'.repeat(1_000_000), reason: '🦀'.repeat(500_000) });

  const reached = await rig.run();

  if (reached === 'resting') throw new Error('the run rests');
  expect(reached.error?.code).toHaveLength(128);
  expect([...(reached.error?.message ?? '')]).toHaveLength(2_000);
  expect(reached.error?.message.isWellFormed()).toBe(true);
});

test('an answer that took all its turns leaves those of the next message whole', async () => {
  const { rig } = open({ limits: { maxTurns: 2 } });

  for (let no = 0; no < 3; no += 1) {
    rig.send('user_message', { text: 'call look' });
    expect(await rig.run()).toBe('resting');
  }

  expect(rig.fold().totals.turns).toBe(6);
});

test('a message that comes between two steps of an answer is taken into the next', async () => {
  let isSent = false;
  const model = modelOf((messages) => {
    if (isSent) return say(`heard ${messages.filter(({ role }) => role === 'user').length}`);
    isSent = true;
    rig.send('user_message', { text: 'and this' });
    return call('look');
  });
  const { rig } = open({ model });
  rig.send('user_message', { text: 'go' });

  await rig.run();

  expect(model.requests.at(-1)?.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'user',
  ]);
  expect(rig.fold().lastText).toBe('heard 2');
});

test('a run that finishes by itself says which frames it has seen', async () => {
  const { rig } = open({ staysOpen: false });
  rig.send('user_message', { text: 'one' });
  const { seq } = rig.log.at(-1) ?? {};

  expect(await rig.run()).toMatchObject({ status: 'completed', unlessFrameAfter: seq });
});

test('a cancel frame that nobody acted upon is on record as a wish to cancel', async () => {
  const { rig } = open();
  rig.send('cancel', { reason: 'enough' });

  await rig.run();

  expect(rig.log.at(-1)).toMatchObject({
    type: 'run.cancel_requested',
    payload: { reason: 'enough' },
  });
});

/** Numbers in [0, 1) that are the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const SEEDS = Array.from({ length: 80 }, (_, index) => index + 1);

test('the fold of the log is the live state at every rest, whatever comes when, and whoever dies', async () => {
  for (const seed of SEEDS) await driveAtRandom(seed);
});

async function driveAtRandom(seed: number): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let toSend = 25;
  let crashes = 4;
  const model = modelOf((messages) => {
    if (random() < 0.1) {
      throw new RuntimeError('provider_failed', 'a bad moment', { retryable: true });
    }
    const last = messages.at(-1);
    if (last?.role === 'user' && random() < 0.5) {
      return call(...Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(TOOL_NAMES)));
    }
    return say(random() < 0.1 ? '' : `re: ${last?.text}`);
  });
  const rig = openLoopRig({
    model,
    clientTools: CLIENT_TOOLS,
    onWait() {
      if (toSend > 0 && random() < 0.2) sendAny();
      if (crashes > 0 && random() < 0.02) {
        crashes -= 1;
        rig.crash();
      }
    },
  });
  function sendAny(): void {
    toSend -= 1;
    const open = rig.fold().pending.find(({ request }) => request.tool === 'map.show');
    const kind = random();
    if (open && kind < 0.5) {
      rig.send('tool_result', { tool_call_id: open.request.callId, output: { seed } });
    } else if (kind < 0.8) rig.send('user_message', { text: `message ${toSend}` });
    else if (kind < 0.9) rig.send('tool_output', { tool_call_id: 'nobody', output: 1 });
    else rig.send(pick(['user_message', 'note']), {});
  }
  while (toSend > 0) {
    sendAny();
    await rig.run().then(
      (reached) => {
        expect([seed, reached]).toEqual([seed, 'resting']);
        expect(rig.state).toEqual(rig.fold());
      },
      (thrown: Error) => expect(thrown.message).toBe('killed'),
    );
  }
  crashes = 0;
  for (;;) {
    await rig.run();
    const open = rig.fold().pending;
    if (open.length === 0) break;
    for (const { request } of open) {
      rig.send('tool_result', { tool_call_id: request.callId, output: {} });
    }
  }
  expectWhole(rig, seed);
}

const TOOL_NAMES = ['look', 'fail', 'map.show', 'nowhere'];

/** Each message is in the conversation once and in order, each call has one result, and no frame is left over. */
function expectWhole(rig: LoopRig, seed: number): void {
  const sent = rig.log
    .filter(({ type, payload }) => type === 'frame.accepted' && payload['type'] === 'user_message')
    .map(({ payload }) => messageTextOf(payload['payload'] as object as Record<string, string>))
    .filter((text) => text !== '');
  const { messages, inbox } = rig.fold();
  const heard = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  expect([seed, ...heard]).toEqual([seed, ...sent]);
  const called = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls.map(({ callId }) => callId) : [],
  );
  const answered = messages.flatMap((message) => (message.role === 'tool' ? message.callId : []));
  expect([seed, ...answered.sort()]).toEqual([seed, ...called.sort()]);
  expect(inbox.frames).toEqual([]);
}
