import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { EventType } from '../../../core/events/event.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { RunDetail, RunEvent } from '../../../operations/runs/run-shapes.ts';
import { createOutput } from '../live.ts';
import { AnswerPrinter } from './answer-printer.ts';

function event(type: EventType, payload: JsonObject): RunEvent {
  return { event_type: type, payload: payload as RunEvent['payload'] } as RunEvent;
}

const TURNS = [
  event('model.requested', { turn: 1, attempt: 1 }),
  event('model.delta', { text: 'Let me ' }),
  event('model.delta', { text: 'look.' }),
  event('tool.call', { tool: 'fs.list', input: { path: '.' } }),
  event('tool.result', {
    tool: 'fs.list',
    ok: true,
    error: null,
    summary: 'listed 2',
    duration_ms: 4,
  }),
  event('model.requested', { turn: 2, attempt: 1 }),
  event('model.delta', { text: 'Two \u001b[2Jfiles.' }),
];

function print(options: {
  isTTY: boolean;
  isStreaming: boolean;
  events?: RunEvent[];
  output: string;
}) {
  const stdout = Object.assign(new PassThrough(), { isTTY: options.isTTY });
  const stderr = new PassThrough();
  const { live } = createOutput({ stdout, stderr, isText: true, wantsColor: false });
  const printer = new AnswerPrinter(live, options.isStreaming);
  for (const one of options.events ?? TURNS) printer.take(one);
  const rest = printer.finish({ output: options.output } as RunDetail);
  return { stdout: String(stdout.read() ?? '') + rest, stderr: String(stderr.read() ?? '') };
}

test('without streaming the answer is all there is, byte for byte', () => {
  const { stdout, stderr } = print({
    isTTY: false,
    isStreaming: false,
    output: 'Two \u001b[2Jfiles.',
  });

  expect(stdout).toBe('Two \u001b[2Jfiles.');
  expect(stderr).toBe('fs.list {"path":"."}\nfs.list ok, 4 ms: listed 2\n');
});

test('on a terminal the text streams, turn by turn, and can not take the terminal over', () => {
  const { stdout } = print({ isTTY: true, isStreaming: true, output: 'Two \u001b[2Jfiles.' });

  expect(stdout).toBe('Let me look.\n\nTwo \ufffd[2Jfiles.\n');
});

test('an answer that was not streamed is printed after what was', () => {
  const { stdout } = print({ isTTY: true, isStreaming: true, output: 'I need your help.' });

  expect(stdout).toBe('Let me look.\n\nTwo \ufffd[2Jfiles.\nI need your help.');
});

test('a model that broke off begins anew', () => {
  const events = [
    event('model.requested', { turn: 1, attempt: 1 }),
    event('model.delta', { text: 'Hel' }),
    event('model.requested', { turn: 1, attempt: 2 }),
    event('model.delta', { text: 'Hello.' }),
  ];

  const { stdout, stderr } = print({ isTTY: true, isStreaming: true, events, output: 'Hello.' });

  expect(stdout).toBe('Hel\n\nHello.\n');
  expect(stderr).toBe('the model broke off, asking again\n');
});

test('why a provider was asked again is told in its own words', () => {
  const message = 'ollama cannot be reached at http://127.0.0.1:11434 (ECONNREFUSED): start it';
  const events = [
    event('model.requested', { turn: 1, attempt: 1 }),
    event('model.failed', { turn: 1, attempt: 1, error: { code: 'provider_failed', message } }),
    event('model.requested', { turn: 1, attempt: 2 }),
    event('model.delta', { text: 'Hello.' }),
  ];

  const { stderr } = print({ isTTY: true, isStreaming: true, events, output: 'Hello.' });

  expect(stderr).toBe(`${message}, asking again\n`);
});
