import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawOptions, type ClawRoot, common, openClawRoot } from '../cli/claw.ts';
import { askDocument, configure, JSON_FORMAT, PLACES, readTranscripts } from './turn-root.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

async function prepare(via: (typeof PLACES)[number], options: ClawOptions): Promise<void> {
  if (via === 'server') await root.serve(options);
}

const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

const PATH = expect.stringMatching(/^<root>\/\.claw\/sessions\/[0-9a-f]{16}\/<session>\.jsonl$/);

for (const via of PLACES) {
  test(`later turns send the continuation prompt and know the earlier ones (${via})`, async () => {
    const script = await root.script([
      { text: 'one', usage: usage(5, 1) },
      { text: 'you began with {{message}}', usage: usage(7, 2) },
    ]);
    await prepare(via, script);

    const { code, document } = await askDocument(
      root,
      ['turn-loop', 'count', '--continuation-prompt', 'go on', '--max-turns', '2', '--limit', '1'],
      script,
    );

    const matched = { matched_commands: expect.any(Array), matched_tools: [] };
    expect(code).toBe(0);
    expect(document).toEqual({
      ...common('turn-loop', 0),
      prompt: 'count',
      limit: 1,
      max_turns: 2,
      turns_completed: 2,
      timeout_seconds: null,
      continuation_prompt: 'go on',
      turns: [
        {
          prompt: 'count',
          output: 'one',
          stop_reason: 'completed',
          cancel_observed: false,
          run_id: '<run>',
          input_tokens: 5,
          output_tokens: 1,
          ...matched,
        },
        {
          prompt: 'go on',
          output: 'you began with count',
          stop_reason: 'completed',
          cancel_observed: false,
          run_id: '<run>',
          input_tokens: 7,
          output_tokens: 2,
          ...matched,
        },
      ],
      final_stop_reason: 'completed',
      final_cancel_observed: false,
      session_id: '<session>',
      persisted_session_path: PATH,
    });
    expect(await readTranscripts(root)).toEqual([
      ['user: count', 'assistant: one', 'user: go on', 'assistant: you began with count'],
    ]);
  });

  test(`a transcript that no session knows is told to the agent (${via})`, async () => {
    const script = await root.script([{ text: 'it began with {{message}}' }]);
    await prepare(via, script);
    await askDocument(root, ['flush-transcript', '--prompt', 'remember the milk'], script);

    const { document } = await askDocument(
      root,
      ['turn-loop', 'what was it?', '--session', 'latest'],
      script,
    );

    expect(document).toMatchObject({
      turns: [{ output: 'it began with remember the milk', stop_reason: 'completed' }],
    });
  });

  test(`the budget is looked at between calls of the model and between turns (${via})`, async () => {
    const script = await root.script([
      { text: 'one', usage: usage(10, 2) },
      { toolCalls: [{ tool: 'time.now' }], usage: usage(10, 2) },
      { text: 'three', delayMs: 60_000 },
    ]);
    await prepare(via, script);
    const loop = ['turn-loop', 'count', '--continuation-prompt', 'go on'];

    const between = await askDocument(root, [...loop, '--max-budget-tokens', '12'], script);
    const within = await askDocument(root, [...loop, '--max-budget-tokens', '24'], script);

    expect([between.code, within.code]).toEqual([0, 0]);
    expect(between.document).toMatchObject({
      turns: [
        { stop_reason: 'completed' },
        { stop_reason: 'max_budget_reached', cancel_observed: false, run_id: null },
      ],
      final_stop_reason: 'max_budget_reached',
    });
    expect(within.document).toMatchObject({
      turns: [
        { stop_reason: 'completed' },
        { stop_reason: 'max_budget_reached', cancel_observed: true, run_id: '<run>' },
      ],
    });
    expect(await readTranscripts(root)).toEqual([
      ['user: count', 'assistant: one'],
      ['user: count', 'assistant: one'],
    ]);
  });

  test(`a run that fails is an error, after the turns that went well (${via})`, async () => {
    const script = await root.script([
      { text: 'one' },
      { error: { status: 400, message: 'no such model' } },
    ]);
    await prepare(via, script);

    const { code, document } = await askDocument(
      root,
      ['turn-loop', 'count', '--continuation-prompt', 'go on'],
      script,
    );

    expect(code).toBe(1);
    expect(document).toMatchObject({
      turns_completed: 1,
      turns: [{ output: 'one' }],
      final_stop_reason: null,
      final_cancel_observed: false,
      error: { kind: 'runtime', operation: 'run', target: '<run>', message: 'no such model' },
    });
    expect(await readTranscripts(root)).toEqual([['user: count', 'assistant: one']]);
  });
}

test.each(['0', '-3'])('with a timeout of %s nothing is started', async (seconds) => {
  const { code, document } = await askDocument(root, [
    'turn-loop',
    'count',
    '--timeout-seconds',
    seconds,
  ]);
  const { document: listed } = await askDocument(root, ['runs', 'list']);

  expect(code).toBe(2);
  expect(document).toMatchObject({
    timeout_seconds: Number(seconds),
    turns_completed: 0,
    turns: [
      { prompt: 'count', output: '', stop_reason: 'timeout', cancel_observed: false, run_id: null },
    ],
    final_stop_reason: 'timeout',
    final_cancel_observed: false,
    persisted_session_path: null,
  });
  expect(listed).toMatchObject({ runs: [] });
});

test('without a continuation prompt there is one turn, whatever the number of turns', async () => {
  const script = await root.script([{ text: 'one' }, { text: 'two' }]);

  const ended = await root.claw(['turn-loop', 'count', '--max-turns', '3'], script);

  expect(ended).toMatchObject({ code: 0, stdout: '## Turn 1\none\nstop_reason=completed\n' });
});

test('structured output is JSON in every turn', async () => {
  const script = await root.script([{ text: 'a\n\nb' }]);

  const { document } = await askDocument(root, ['turn-loop', 'go', '--structured-output'], script);

  const [turn] = document['turns'] as { output: string }[];
  expect(JSON.parse(turn?.output ?? '')).toEqual({ summary: ['a', 'b'], session_id: '<session>' });
  expect(await readTranscripts(root)).toEqual([['user: go', 'assistant: a\n\nb']]);
});

test('without a server a call that needs an approval ends the turn instead of waiting for ever', async () => {
  await configure(root, { policy: { rules: [{ tool: 'fs.list', decision: 'ask' }] } });
  const script = await root.script([{ toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] }]);

  const { code, document } = await askDocument(root, ['turn-loop', 'look'], script);

  expect(code).toBe(1);
  expect(document).toMatchObject({
    turns: [],
    error: { kind: 'policy', operation: 'approve', target: '<run>', retryable: false },
  });
});

test.each([
  [['--max-turns', '0'], 'option --max-turns must be a whole number from 1 to 1000 (it is "0")'],
  [['--limit', '0'], 'option --limit must be a whole number from 1 to 200 (it is "0")'],
  [['--agent', '../x'], 'option --agent must name an agent (it is "../x")'],
])('refuses %j', async (options, message) => {
  const { code, document } = await askDocument(root, ['turn-loop', 'count', ...options]);

  expect(code).toBe(1);
  expect(document).toMatchObject({ error: { kind: 'parse', message } });
});

test('a session or an agent that does not exist is not found', async () => {
  const session = await askDocument(root, ['turn-loop', 'x', '--session', 'session-1-0']);
  const agent = await askDocument(root, ['turn-loop', 'x', '--agent', 'nobody']);
  const escaping = await root.claw(['turn-loop', 'x', '--session', '../../x', ...JSON_FORMAT]);

  expect(session.document).toMatchObject({
    ...common('turn-loop', 1),
    name: '<session>',
    found: false,
    error: { kind: 'session_not_found', retryable: false },
  });
  expect(agent.document).toMatchObject({
    name: 'nobody',
    found: false,
    error: { kind: 'agent_not_found' },
  });
  expect(JSON.parse(escaping.stdout)).toMatchObject({ exit_code: 1, error: { kind: 'usage' } });
});
