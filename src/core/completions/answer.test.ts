import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Event, EventType } from '../events/event.ts';
import type { RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { type AnswerPart, createAnswerFold } from './answer.ts';

const RUN_ID = `run_${'0'.repeat(26)}` as RunId;

type Draft = readonly [type: EventType, payload?: JsonObject];

function toEvents(drafts: readonly Draft[]): Event[] {
  return drafts.map(
    ([type, payload = {}], index) =>
      ({ type, payload, runId: RUN_ID, seq: index + 1, atMs: index }) as unknown as Event,
  );
}

const BEGIN: Draft[] = [['run.created'], ['run.started']];
const ask = (turn: number): Draft => ['model.requested', { turn, attempt: 1 }];
const say = (text: string): Draft => ['model.delta', { text }];
const END: Draft = ['run.completed', { stop_reason: 'completed' }];

function complete(turn: number, text: string, tool_calls: JsonObject[] = []): Draft {
  return ['model.completed', { turn, text, tool_calls, usage: {}, cost_usd: 0 }];
}

function read(events: readonly Event[], places = { seenThrough: 0, heldThrough: 0 }) {
  const fold = createAnswerFold(places);
  const parts: { readonly seq: number; readonly part: AnswerPart }[] = [];
  for (const event of events) {
    for (const part of fold.read(event)) parts.push({ seq: event.seq, part });
    if (fold.isOver) break;
  }
  return parts;
}

function textOf(parts: ReturnType<typeof read>, after = 0): string {
  return parts
    .map(({ seq, part }) => (part.type === 'text' && seq > after ? part.delta : ''))
    .join('');
}

/** A turn whose text is said in pieces, broken off as often as there are cuts. */
const turns = fc.array(
  fc.record({
    text: fc.string({ minLength: 1, maxLength: 12 }),
    cuts: fc.array(fc.nat(12), { maxLength: 3 }),
    step: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 3 },
);

function toLog(given: readonly { text: string; cuts: number[]; step: number }[]): Event[] {
  const pieces = (text: string, step: number) =>
    Array.from({ length: Math.ceil(text.length / step) }, (_, index) =>
      say(text.slice(index * step, (index + 1) * step)),
    );
  const drafts = given.flatMap(({ text, cuts, step }, index) => {
    const turn = index + 1;
    const broken = cuts.flatMap((cut) => [ask(turn), ...pieces(text.slice(0, cut), step)]);
    return [...broken, ask(turn), ...pieces(text, step + 1), complete(turn, text)];
  });
  return toEvents([...BEGIN, ...drafts, END]);
}

test('whoever reads, and comes back from anywhere, has the whole text once', () => {
  fc.assert(
    fc.property(turns, fc.nat(40), fc.nat(40), (given, left, known) => {
      const events = toLog(given);
      const whole = given.map(({ text }) => text).join('\n\n');
      const live = read(events);
      // Ids are those of events that brought something: readers come back with one of these.
      const seen = live.map(({ seq }) => seq).filter((seq) => seq <= left);
      const seenThrough = seen.at(-1) ?? 0;

      const before = textOf(live.filter(({ seq }) => seq <= seenThrough));
      const after = textOf(read(events, { seenThrough, heldThrough: known }), seenThrough);

      expect(textOf(live)).toBe(whole);
      expect(before + after).toBe(whole);
      const end = live.at(-1)?.part;
      expect(end).toMatchObject({ type: 'end', end: { reason: 'stop', text: whole } });
    }),
  );
});

test('text that no longer counts is not told to somebody who comes later', () => {
  const events = toEvents([
    ...BEGIN,
    ask(1),
    say('old'),
    ask(1),
    say('new'),
    complete(1, 'new'),
    END,
  ]);

  expect(() => read(events)).toThrow('began its answer anew');
  expect(textOf(read(events, { seenThrough: 0, heldThrough: 5 }))).toBe('new');
});

test('what is written by a model without tool calls is told when it is known to be no call', () => {
  const asked: Draft = ['model.requested', { turn: 1, tools: 1, calls_as: 'text' }];
  const events = toEvents([...BEGIN, asked, say('Look.\n```tool'), complete(1, 'Look.'), END]);

  expect(textOf(read(events))).toBe('Look.');
});

test('words of the loop itself stand behind those of the model', () => {
  const ended: Draft = ['run.completed', { stop_reason: 'loop_detected', output: 'In a circle.' }];
  const events = toEvents([...BEGIN, ask(1), say('Hm.'), complete(1, 'Hm.'), ended]);

  expect(textOf(read(events))).toBe('Hm.\n\nIn a circle.');
});

test('an answer ends when only its caller can go on, and counts what failed', () => {
  const calls = [
    { id: 'a', tool: 'ours', input: {} },
    { id: 'b', tool: 'theirs', input: { x: 1 } },
  ];
  const usage = { input_tokens: 3, output_tokens: 1 };
  const events = toEvents([
    ...BEGIN,
    ask(1),
    ['model.failed', { usage, cost_usd: 1 }],
    ask(1),
    ['model.completed', { turn: 1, text: '', tool_calls: calls, usage, cost_usd: 2 }],
    ['tool.call', { tool_call_id: 'a', tool: 'ours' }],
    ['tool.call', { tool_call_id: 'b', tool: 'theirs', input: { x: 1 }, executed_by: 'client' }],
    ['tool.result', { tool_call_id: 'a' }],
    ['frame.accepted', {}],
  ]);

  const parts = read(events);

  const call = { id: `call_${'0'.repeat(26)}_8`, seq: 8, tool: 'theirs', input: { x: 1 } };
  expect(parts.slice(1)).toMatchObject([
    { seq: 8, part: { type: 'call', call } },
    {
      seq: 9,
      part: {
        type: 'end',
        end: {
          reason: 'tool_calls',
          calls: [call],
          usage: { inputTokens: 6, outputTokens: 2, cachedInputTokens: 0, costUsd: 3 },
        },
      },
    },
  ]);
});

test('a frame of its own that answers nothing ends it, and one of somebody else does not', () => {
  const ignored = (frame_seq: number): Draft => ['frame.ignored', { frame_seq }];

  const other = read(toEvents([['frame.accepted'], ignored(7), END]));
  const own = read(toEvents([['frame.accepted'], ignored(1), END]));

  expect(other.at(-1)?.part).toMatchObject({ end: { reason: 'stop' } });
  expect(own.at(-1)?.part).toMatchObject({ end: { error: { code: 'conflict' } } });
});
