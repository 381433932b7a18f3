import { expect, test } from 'vitest';
import type { TracedToolResult } from '../../../core/runs/trace.ts';
import { toToolAnswer } from './tool-answer.ts';

const RESULT: TracedToolResult = {
  tool: 'shell.exec',
  callId: 'tool-1',
  arguments: {},
  summary: '',
  output: '',
  error: '',
  durationMs: 1,
  fromCache: false,
};

test('a command that ends well says its exit code', () => {
  const output = { exit_code: 0, stdout: 'x', stderr: '' };

  const answer = toToolAnswer({ ...RESULT, summary: 'ls: ok', output: JSON.stringify(output) });

  expect(answer).toEqual({ isHandled: true, message: 'exit code 0', output, failure: undefined });
});

test('a command that ends badly was executed, and is a failure all the same', () => {
  const output = { exit_code: 3, error: 'exit code 3' };

  const answer = toToolAnswer({ ...RESULT, output: JSON.stringify(output) });

  expect(answer).toEqual({
    isHandled: true,
    message: 'exit code 3',
    output,
    failure: {
      exitCode: 1,
      error: {
        kind: 'runtime',
        operation: 'execute_tool',
        target: 'shell.exec',
        retryable: false,
        message: 'exit code 3',
      },
    },
  });
});

test('a command that ends well and gave names that are refused says which', () => {
  const error = 'these names are not for commands: .git';

  const { message, failure } = toToolAnswer({
    ...RESULT,
    output: JSON.stringify({ exit_code: 0, error, refused_names: ['.git'] }),
  });

  expect([message, failure?.error?.message]).toEqual([error, error]);
});

test.each([
  ['policy.denied: not granted', 'policy', 1, 'not granted'],
  ['sandbox.required: no sandbox', 'policy', 1, 'no sandbox'],
  ['tool.input_invalid: path: is required', 'usage', 1, 'path: is required'],
  ['tool.not_found: no x', 'tool_not_found', 1, 'no x'],
  ['timeout: took too long', 'runtime', 2, 'took too long'],
  ['tool_failed: it broke\nhere', 'runtime', 1, 'it broke here'],
  ['internal.error: it broke', 'runtime', 1, 'it broke'],
  ['brand.new: what', 'runtime', 1, 'what'],
  ['no code at all', 'runtime', 1, 'no code at all'],
])('%j is of the kind %s with exit code %i', (error, kind, exitCode, message) => {
  const answer = toToolAnswer({ ...RESULT, error });

  expect(answer).toMatchObject({
    isHandled: false,
    message,
    output: null,
    failure: { exitCode, error: { kind, message } },
  });
});

test('a tool with nothing to say is ok', () => {
  expect(toToolAnswer({ ...RESULT, output: '{"a":1}' })).toEqual({
    isHandled: true,
    message: 'ok',
    output: { a: 1 },
    failure: undefined,
  });
});
