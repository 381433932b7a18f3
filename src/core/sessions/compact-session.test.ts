import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import { compactSession, MAX_FOLDED } from './compact-session.ts';
import { DEFAULT_CONTEXT_LIMITS, maxRunningSummaryChars } from './context-limits.ts';
import { countChars } from './cut-text.ts';
import { loadContext } from './load-context.ts';
import type { Session, SessionMessage } from './session.ts';
import {
  createTestHistory,
  message,
  SESSION_ID,
  type TestHistory,
  toolMessage,
} from './test-history.ts';

const SESSION: Session = {
  id: SESSION_ID,
  agentId: DEFAULT_AGENT_ID,
  owner: 'operator',
  channel: 'http',
  userId: 'ada',
  roomId: 'dev',
  title: '',
  messageCount: 0,
  lastExchange: 0,
  forkedFrom: undefined,
  createdAtMs: 0,
  updatedAtMs: 0,
  closedAtMs: undefined,
};
const context = () => DEFAULT_CONTEXT_LIMITS;
const NOW = Number.MAX_SAFE_INTEGER;

const compact = ({ sessions }: TestHistory) =>
  compactSession({ store: sessions, context }, SESSION);
const load = ({ sessions }: TestHistory, exchange = NOW) =>
  loadContext({ sessions, context }, { sessionId: SESSION_ID, exchange });

/** Messages of one exchange, as a run says them. */
const ofRun = (...messages: readonly SessionMessage[]) =>
  messages.map((one) => ({ ...one, runId: 'run_1' as RunId }));
const answered = (question: string) =>
  ofRun(message({ content: question }), message({ role: 'assistant', content: `re: ${question}` }));

test('folds all that was said, and a run then hears the summary alone', async () => {
  const history = createTestHistory();
  history.add(...answered('one'));
  history.add(message({ content: 'noted by nobody' }));

  const compacted = await compact(history);
  const { messages } = await load(history);

  const summary =
    'Earlier in this conversation (3 messages, shortened):\n' +
    '#1 user: one\n#2 assistant: re: one\n#3 user: noted by nobody';
  expect(compacted).toEqual({ session: SESSION, messages: 3, summary });
  expect(history.summary).toEqual({ text: summary, through: { exchange: 2, position: 1 } });
  expect(messages).toEqual([{ role: 'user', text: summary }]);
});

test('a session in which nothing was said has nothing to fold', async () => {
  const history = createTestHistory();

  const compacted = await compact(history);

  expect(compacted).toEqual({ session: SESSION, messages: 0, summary: '' });
  expect(history.summary).toBeUndefined();
});

test('the second time folds only what is new', async () => {
  const history = createTestHistory();
  history.add(...answered('one'));

  const first = await compact(history);
  const again = await compact(history);
  history.add(...answered('two'));
  const later = await compact(history);

  expect(again).toEqual({ ...first, messages: 0 });
  expect(later.messages).toBe(2);
  expect(later.summary.split('\n')).toEqual([
    'Earlier in this conversation (4 messages, shortened):',
    '#1 user: one',
    '#2 assistant: re: one',
    '#3 user: two',
    '#4 assistant: re: two',
  ]);
});

test('folds what the context left in the middle of an exchange', async () => {
  const history = createTestHistory();
  for (let number = 1; number <= 10; number += 1) {
    history.add(...answered(`${number} ${'x'.repeat(2_000)}`));
  }
  await load(history);
  const { through } = history.summary ?? {};

  const compacted = await compact(history);

  expect(through).toEqual({ exchange: 7, position: 1 });
  expect(compacted.messages).toBe(7);
  expect(compacted.summary).toMatch(/^Earlier in this conversation \(20 messages, shortened\):\n/);
});

test('an exchange that still goes on is left out, and so is what was cancelled behind it', async () => {
  const history = createTestHistory();
  history.add(...answered('one'));
  history.add(...ofRun(message({ content: 'two' }), toolMessage({ summary: 'read it' })));
  history.add(
    ...ofRun(
      message({ content: 'three' }),
      message({ role: 'assistant', content: 'cancelled', status: 'cancelled' }),
    ),
  );
  history.add(...ofRun(message({ content: 'four' })));

  const compacted = await compact(history);
  const again = await compact(history);
  const { messages } = await load(history, 4);

  expect([compacted.messages, again.messages]).toEqual([2, 0]);
  expect(history.summary?.through).toEqual({ exchange: 1, position: 2 });
  expect(messages.map(({ role, text }) => `${role}: ${text.split('\n')[0]}`)).toEqual([
    'user: Earlier in this conversation (2 messages, shortened):',
    'user: two',
    'assistant: ',
    'tool: tool fs.read result (call_1)',
    'user: three',
    'assistant: cancelled',
  ]);
});

test('what calls brought in still counts when only the summary speaks of them', async () => {
  const history = createTestHistory();
  history.add(
    toolMessage({ tool: 'http.request', traits: ['untrusted_input'], summary: 'got it' }),
  );
  const before = await load(history);

  await compact(history);
  const after = await load(history);

  expect(after.exposure).toEqual(before.exposure);
  expect(after.exposure).toEqual(['untrusted_input']);
});

test('looks at no more messages than it may, and counts the rest as one', async () => {
  const history = createTestHistory();
  for (let number = 1; number <= MAX_FOLDED + 1; number += 1) {
    history.add(message({ content: `step ${number}` }));
  }

  const { messages, summary } = await compact(history);
  const again = await compact(history);

  expect(messages).toBe(MAX_FOLDED);
  expect(history.reads).toBe(MAX_FOLDED + 50);
  expect(summary.split('\n')[0]).toBe(
    `Earlier in this conversation (${MAX_FOLDED + 1} messages, shortened):`,
  );
  expect(countChars(summary)).toBeLessThanOrEqual(maxRunningSummaryChars(DEFAULT_CONTEXT_LIMITS));
  expect(again.messages).toBe(0);
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', '😀', ' ', '\n'), maxLength: 40 });
const exchanges = fc.array(
  fc.array(
    fc.oneof(
      word.map((content) => message({ content })),
      word.map((summary) => toolMessage({ summary })),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  { maxLength: 12 },
);

test('whatever was said: after it a run hears the summary, then what was said later and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(exchanges, exchanges, async (earlier, later) => {
      const history = createTestHistory();
      const alone = createTestHistory();
      for (const one of earlier) history.add(...one);

      const { messages: count, summary } = await compact(history);
      for (const one of later) {
        history.add(...one);
        alone.add(...one);
      }

      const lead = earlier.length === 0 ? [] : [{ role: 'user', text: summary }];
      expect(count).toBe(earlier.flat().length);
      expect((await load(history)).messages).toEqual([...lead, ...(await load(alone)).messages]);
    }),
    { numRuns: 200 },
  );
});
