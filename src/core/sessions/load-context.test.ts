import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../loop/model.ts';
import { type ContextLimits, DEFAULT_CONTEXT_LIMITS } from './context-limits.ts';
import { countChars } from './cut-text.ts';
import { loadContext } from './load-context.ts';
import type { SessionMessage } from './session.ts';
import {
  createTestHistory,
  message,
  SESSION_ID,
  type TestHistory,
  toolMessage,
} from './test-history.ts';

const NOW = Number.MAX_SAFE_INTEGER;

function load(
  history: Pick<TestHistory, 'sessions'>,
  limits: Partial<ContextLimits> = {},
  exchange = NOW,
) {
  const context = () => ({ ...DEFAULT_CONTEXT_LIMITS, ...limits });
  return loadContext({ sessions: history.sessions, context }, { sessionId: SESSION_ID, exchange });
}

function totalChars(messages: readonly Message[]): number {
  return messages.reduce((sum, { text }) => sum + countChars(text), 0);
}

test('a run without a session has no context', async () => {
  const { sessions } = createTestHistory();
  const deps = { sessions, context: () => DEFAULT_CONTEXT_LIMITS };

  const context = await loadContext(deps, { sessionId: undefined, exchange: undefined });

  expect(context).toEqual({ messages: [], exposure: [] });
});

test('gives all of a short conversation, in order, up to the run itself', async () => {
  const history = createTestHistory();
  history.add(
    message({ content: 'list the files' }),
    toolMessage({ tool: 'fs.list', id: 'c1', summary: 'listed 1', arguments: '{"path":"."}' }),
    message({ role: 'assistant', content: 'One file: a.txt' }),
  );
  history.add(
    message({ content: 'of this run' }),
    message({ role: 'assistant', content: 'later' }),
  );

  const { messages } = await load(history, {}, 2);

  expect(messages).toEqual([
    { role: 'user', text: 'list the files' },
    {
      role: 'assistant',
      text: '',
      toolCalls: [{ callId: 'c1', tool: 'fs.list', input: { path: '.' } }],
    },
    {
      role: 'tool',
      callId: 'c1',
      tool: 'fs.list',
      ok: true,
      text: 'tool fs.list result (c1)\nsummary: listed 1',
    },
    { role: 'assistant', text: 'One file: a.txt', toolCalls: [] },
  ]);
  expect(history.summary).toBeUndefined();
});

test('drops the oldest first and sums them up inside the budget', async () => {
  const history = createTestHistory();
  for (let number = 1; number <= 20; number += 1) {
    history.add(message({ content: `${number} ${'x'.repeat(2_000)}` }));
  }

  const { messages } = await load(history);

  const [lead, ...rest] = messages.map(({ text }) => text);
  expect(rest).toEqual(
    [14, 15, 16, 17, 18, 19, 20].map(
      (number) => `${`${number} ${'x'.repeat(2_000)}`.slice(0, 1_397)}...`,
    ),
  );
  expect(lead?.split('\n')[0]).toBe('Earlier in this conversation (13 messages, shortened):');
  expect(lead?.split('\n')[1]).toBe(`#1 user: 1 ${'x'.repeat(109)}...`);
  expect(totalChars(messages)).toBeLessThanOrEqual(12_000);
  expect(history.summary).toEqual({ text: lead, through: { exchange: 13, position: 1 } });
});

test('fills the budget to the last character when nothing has to go', async () => {
  const history = createTestHistory();
  for (let number = 0; number < 10; number += 1) {
    history.add(message({ content: 'x'.repeat(1_200) }));
  }

  const { messages } = await load(history);

  expect(totalChars(messages)).toBe(12_000);
  expect(history.summary).toBeUndefined();
});

test('the summary outlives the messages that can be looked at, and counts them all', async () => {
  const history = createTestHistory();
  history.add(message({ content: 'the goal: a parser' }));
  for (let number = 2; number <= 3_000; number += 1) {
    history.add(message({ content: `step ${number}` }));
    if (number % 100 === 0) await load(history);
  }

  const { messages } = await load(history);

  expect(messages).toHaveLength(201);
  expect(messages[0]?.text.split('\n').slice(0, 2)).toEqual([
    'Earlier in this conversation (2800 messages, shortened):',
    '#1 user: the goal: a parser',
  ]);
  expect(messages.at(-1)).toEqual({ role: 'user', text: 'step 3000' });
});

test('reads no further back than the summary when there is one', async () => {
  const history = createTestHistory();
  for (let number = 0; number < 1_000; number += 1) {
    history.add(message({ content: 'x'.repeat(1_000) }));
  }
  await load(history);
  const before = history.reads;

  await load(history);

  expect(history.reads - before).toBe(50);
});

test('says so when there was more than it could look at', async () => {
  const history = createTestHistory();
  for (let number = 0; number < 2_100; number += 1) {
    history.add(message({ role: 'assistant', content: `${number}` }));
  }

  const { messages } = await load(history, {
    maxContextChars: 1_000_000,
    maxMessageChars: 100_000,
  });

  expect(messages).toHaveLength(201);
  expect(messages[0]?.text).toContain('\n#1 note: older messages were not looked at\n');
  expect(history.reads).toBe(2_000);
});

test('two calls with one id get two', async () => {
  const history = createTestHistory();
  for (const summary of ['a', 'b', 'c']) history.add(toolMessage({ id: 'call_1', summary }));

  const { messages } = await load(history);

  expect(messages.map((one) => (one.role === 'tool' ? one.callId : idsOf(one)))).toEqual([
    ['call_1'],
    'call_1',
    ['call_1-2'],
    'call_1-2',
    ['call_1-3'],
    'call_1-3',
  ]);
});

function idsOf(one: Message): string[] {
  return one.role === 'assistant' ? one.toolCalls.map(({ callId }) => callId) : [];
}

test('what earlier calls brought in counts for the run, also when it is only in the summary', async () => {
  const history = createTestHistory();
  history.add(
    toolMessage({ tool: 'http.request', traits: ['untrusted_input'], summary: 'got it' }),
  );
  for (let number = 0; number < 20; number += 1) {
    history.add(message({ content: 'x'.repeat(1_400) }));
  }
  history.add(toolMessage({ tool: 'vault.read', traits: ['secret_data'], summary: 'read it' }));

  const first = await load(history);
  const again = await load(history);

  expect(first.exposure).toEqual(['untrusted_input', 'secret_data']);
  expect(again).toEqual(first);
});

test('lower limits count from the next run on, higher ones for what is not summed up yet', async () => {
  const history = createTestHistory();
  for (let number = 0; number < 20; number += 1) {
    history.add(message({ content: `${number} ${'x'.repeat(1_000)}` }));
  }

  const sizes = [];
  for (const maxContextChars of [12_000, 4_000, 100_000]) {
    const { messages } = await load(history, { maxContextChars });
    sizes.push([messages.length, totalChars(messages) <= maxContextChars]);
  }

  expect(sizes).toEqual([
    [11, true],
    [4, true],
    [4, true],
  ]);
});

test('a 10 MB output costs no more than a short one', async () => {
  const history = createTestHistory();
  const output = '😀'.repeat(2_500_000);
  for (let number = 0; number < 20; number += 1) {
    history.add(message({ role: 'tool', content: output, toolName: 'shell.exec' }));
  }
  const startedAt = performance.now();

  const { messages } = await load(history);
  const elapsedMs = performance.now() - startedAt;

  expect(totalChars(messages)).toBeLessThanOrEqual(12_000);
  expect(messages.at(-1)?.text).toBe(
    `tool shell.exec result (unknown)\noutput: ${'😀'.repeat(997)}...`,
  );
  // Splitting one of them into characters takes most of a second.
  expect(elapsedMs).toBeLessThan(3_000);
});

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('😀', '👩‍👩‍👧', 'e\u0301', '\ud83d', '\ude00', ' ', '\n', 'word '),
    fc.constant('x'.repeat(90)),
  ),
  maxLength: 60,
});
const stored: fc.Arbitrary<SessionMessage> = fc.oneof(
  fc
    .record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: text })
    .map(message),
  fc
    .record({ summary: text, error: text, output: text, id: fc.constantFrom('a', 'b', 'c') })
    .chain((record) =>
      fc
        .dictionary(fc.string({ maxLength: 5 }), text, { maxKeys: 2 })
        .map((input) => toolMessage({ ...record, arguments: JSON.stringify(input) })),
    ),
);
const limits = fc.record({
  maxMessageChars: fc.integer({ min: 16, max: 1_400 }),
  maxContextChars: fc.integer({ min: 256, max: 12_000 }),
});

test('whatever was said: caps hold, the newest is there, pairs are whole, and twice is the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stored, { maxLength: 40 }), limits, async (said, caps) => {
      const history = createTestHistory();
      for (const one of said) history.add(one);

      const { messages } = await load(history, caps);

      expect(totalChars(messages)).toBeLessThanOrEqual(caps.maxContextChars);
      for (const one of messages) {
        expect(countChars(one.text)).toBeLessThanOrEqual(caps.maxMessageChars);
      }
      expectPairs(messages);
      const newest = said.findLast((one) => one.role === 'tool' || one.content.trim() !== '');
      if (newest) expect(messages.at(-1)?.role).toBe(newest.role);
      expect((await load(history, caps)).messages).toEqual(messages);
    }),
    { numRuns: 200 },
  );
});

function expectPairs(messages: readonly Message[]): void {
  const ids = new Set<string>();
  for (const [index, one] of messages.entries()) {
    if (one.role !== 'tool') continue;
    const call = messages[index - 1];
    expect(call?.role === 'assistant' && call.toolCalls.map(({ callId }) => callId)).toEqual([
      one.callId,
    ]);
    expect(ids.has(one.callId)).toBe(false);
    ids.add(one.callId);
  }
}
