import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, common, openClawRoot } from '../cli/claw.ts';
import { askDocument, PLACES, readTranscripts } from './turn-root.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

for (const via of PLACES) {
  test(`reports setup, routing and one turn, and writes the prompt once (${via})`, async () => {
    const script = await root.script([
      { text: 'let me look', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] },
      { text: 'it is empty', usage: { inputTokens: 12, outputTokens: 3 } },
    ]);
    if (via === 'server') await root.serve(script);

    const { code, document } = await askDocument(
      root,
      ['bootstrap', 'fs.glob', '--limit', '1'],
      script,
    );
    const loaded = await askDocument(root, ['load-session', 'latest']);

    expect(code).toBe(0);
    expect(document).toEqual({
      ...common('bootstrap', 0),
      prompt: 'fs.glob',
      limit: 1,
      setup: {
        python_version: '',
        node_version: process.versions.node,
        implementation: 'Node.js',
        platform_name: process.platform,
        test_command: 'npm test',
      },
      routed_matches: [
        { kind: 'tool', name: 'fs.glob', score: 1, source_hint: 'src/toolbox/files/fs-glob.ts' },
      ],
      command_execution_messages: [],
      tool_execution_messages: [expect.stringMatching(/^fs\.list: /)],
      turn: {
        prompt: 'fs.glob',
        output: 'it is empty',
        stop_reason: 'completed',
        cancel_observed: false,
        run_id: '<run>',
        input_tokens: 12,
        output_tokens: 3,
      },
      run_id: '<run>',
      session_id: '<session>',
      persisted_session_path: expect.stringMatching(/<session>\.jsonl$/),
    });
    expect(loaded.document).toMatchObject({ session_id: '<session>', messages_count: 4 });
    expect(await readTranscripts(root)).toEqual([
      [
        'user: fs.glob',
        'assistant: tool_use fs.list',
        'tool: tool_result fs.list',
        'assistant: it is empty',
      ],
    ]);
  });
}

test('the report for people is Markdown', async () => {
  const script = await root.script([{ text: 'hello yourself' }]);

  const { code, stdout, stderr } = await root.claw(['bootstrap', 'zzzz'], script);

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.replace(/path: .*/, 'path: <path>')).toBe(
    [
      '# Runtime Session',
      '',
      'Prompt: zzzz',
      '',
      '## Routed Matches',
      '- none',
      '',
      '## Tools Used',
      '- none',
      '',
      '## Turn Result',
      'hello yourself',
      '',
      'stop_reason=completed',
      'Persisted session path: <path>',
      '',
    ].join('\n'),
  );
});

test('what a script hides from the log stays out of the transcript', async () => {
  const script = await root.script([{ text: 'ok' }]);

  await root.claw(
    ['bootstrap', 'use sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH please'],
    script,
  );

  const [transcript = []] = await readTranscripts(root);
  expect(transcript).toHaveLength(2);
  expect(transcript.join('\n')).not.toContain('AAAABBBB');
});

test('the prompt may come on standard input, and must not be empty', async () => {
  const script = await root.script([{ text: 'ok' }]);

  const piped = await askDocument(root, ['bootstrap', '-'], { ...script, input: 'hello' });
  const empty = await askDocument(root, ['bootstrap', ' '], script);
  const missing = await askDocument(root, ['bootstrap'], script);

  expect(piped.document).toMatchObject({ prompt: 'hello', turn: { output: 'ok' } });
  expect(empty.document).toMatchObject({ error: { kind: 'parse', message: 'there is no prompt' } });
  expect(missing.document).toMatchObject({ exit_code: 1, error: { kind: 'parse' } });
});

test('a failed run is an error that names it, without a turn', async () => {
  const script = await root.script([{ error: { status: 400, message: 'no such model' } }]);

  const { code, document } = await askDocument(root, ['bootstrap', 'hello'], script);

  expect(code).toBe(1);
  expect(document).toMatchObject({
    run_id: '<run>',
    persisted_session_path: null,
    error: { kind: 'runtime', target: '<run>', message: 'no such model' },
  });
  expect(document).not.toHaveProperty('turn');
  expect(await readTranscripts(root)).toEqual([]);
});

test('an answer that can not be written down is told with the fault, and not lost', async () => {
  const script = await root.script([{ text: 'hello yourself' }]);
  await writeFile(join(root.path, '.claw'), 'a file where a folder is needed');

  const asked = ['bootstrap', 'hello', '--directory', join(root.path, '.claw/sessions')];
  const { code, document } = await askDocument(root, asked, script);
  const { stdout, stderr } = await root.claw(asked, script);

  expect(code).toBe(1);
  expect(document).toMatchObject({
    turn: { output: 'hello yourself', stop_reason: 'completed', run_id: '<run>' },
    run_id: '<run>',
    persisted_session_path: null,
    error: {
      kind: 'filesystem',
      operation: 'mkdir',
      retryable: false,
      hint: 'a part of the path is a file where a folder is needed',
    },
  });
  expect(stdout).toContain('hello yourself\n');
  expect(stderr).toMatch(/^error: mkdir /m);
});
