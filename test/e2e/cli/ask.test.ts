import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawOptions, type ClawRoot, common, normalize, openClawRoot } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

/** Every behaviour holds with a server and without one. */
const PLACES = ['local', 'server'] as const;

async function prepare(via: (typeof PLACES)[number], options: ClawOptions): Promise<void> {
  if (via === 'server') await root.serveInline(options);
}

/** Long enough that its beginning is shown: the end of a text may be half a secret and is held back. */
const THINKING = 'Thinking about it. '.repeat(20);

const JSON_FORMAT = ['--output-format', 'json'];

for (const via of PLACES) {
  test(`the answer alone is on standard output, tools are on standard error (${via})`, async () => {
    const script = await root.script([
      { text: 'let me look', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] },
      { text: ['it is ', 'empty'], usage: { inputTokens: 12, outputTokens: 3 } },
    ]);
    await prepare(via, script);

    const said = await root.claw(['ask', 'what', 'is there?'], script);
    const document = await root.inline(['ask', 'what is there?', ...JSON_FORMAT], script);

    expect(said).toMatchObject({ code: 0, stdout: 'it is empty\n' });
    expect(said.stderr).toMatch(/^fs\.list \{"path":"\."\}\nfs\.list ok, .*\n$/);
    expect(document.stderr).toBe('');
    expect(normalize(document.stdout, root.path)).toEqual({
      ...common('ask', 0),
      run_id: '<run>',
      agent_id: 'agent_default',
      status: 'completed',
      stop_reason: 'completed',
      output: 'it is empty',
      usage: { input_tokens: 12, output_tokens: 3, cost_usd: null },
      tool_calls: 1,
      provider: 'scripted',
      model: expect.any(String),
      duration_ms: '<ms>',
      via,
    });
  });

  test(`--stream prints what the model writes as it comes (${via})`, async () => {
    const text = [THINKING, THINKING, 'The last.'];
    const script = await root.script([{ text, deltaDelayMs: 1_000 }]);
    await prepare(via, script);

    const asking = root.start(['ask', 'talk', '--stream'], script);
    const early = await asking.saw('stdout', 'Thinking');

    expect(early).not.toContain('last');
    expect(await asking.ended).toMatchObject({
      code: 0,
      stdout: `${text.join('')}\n`,
    });
  });

  test(`a failed run is exit code 1 with the reason (${via})`, async () => {
    const script = await root.script([{ error: { status: 400, message: 'no such model' } }]);
    await prepare(via, script);

    const said = await root.claw(['ask', 'hello'], script);
    const document = await root.inline(['ask', 'hello', ...JSON_FORMAT], script);

    expect(said).toMatchObject({ code: 1, stdout: '' });
    expect(said.stderr).toMatch(
      /^error: no such model\nhint: claw runs show run_\w+ tells what happened\n$/,
    );
    expect(normalize(document.stdout, root.path)).toMatchObject({
      ...common('ask', 1),
      status: 'failed',
      stop_reason: 'failed',
      error: {
        kind: 'runtime',
        operation: 'run',
        target: '<run>',
        retryable: true,
        message: 'no such model',
        hint: 'claw runs show <run> tells what happened',
      },
    });
  });

  test(`out of time: the run is cancelled, exit code 2 and no error block (${via})`, async () => {
    const script = await root.script([{ text: THINKING, hang: true }]);
    await prepare(via, script);

    const ended = await root.inline(
      ['ask', 'hello', '--timeout-seconds', '1.5', ...JSON_FORMAT],
      script,
    );
    const listed = await root.inline(['runs', 'list', '--status', 'cancelled', ...JSON_FORMAT]);

    expect(ended).toMatchObject({ code: 2, stderr: '' });
    const document = normalize(ended.stdout, root.path);
    expect(document).toMatchObject({
      ...common('ask', 2),
      status: 'cancelled',
      stop_reason: 'timeout',
      via,
    });
    expect(document).not.toHaveProperty('error');
    expect(normalize(listed.stdout, root.path)).toMatchObject({ runs_count: 1 });
  });

  test(`Ctrl-C cancels the run (${via})`, async () => {
    const script = await root.script([{ text: THINKING, hang: true }]);
    await prepare(via, script);
    const asking = root.start(['ask', 'hello', '--stream'], script);
    await asking.saw('stdout', 'Thinking');

    asking.child.kill('SIGINT');
    const ended = await asking.ended;
    const listed = await root.inline(['runs', 'list', '--status', 'cancelled', ...JSON_FORMAT]);

    expect(ended).toMatchObject({ code: 130, signal: null });
    expect(ended.stderr).toContain('cancelling\n');
    expect(normalize(listed.stdout, root.path)).toMatchObject({ runs_count: 1 });
  });
}

test('the message may come on standard input', async () => {
  const piped = await root.claw(['ask', ...JSON_FORMAT], { input: 'what time is it?\n' });
  const dashed = await root.inline(['ask', '-', ...JSON_FORMAT], { input: 'what time is it?' });
  const empty = await root.inline(['ask', '-', ...JSON_FORMAT], { input: ' \n' });

  for (const { stdout } of [piped, dashed]) {
    expect(normalize(stdout, root.path)).toMatchObject({ exit_code: 0, tool_calls: 1 });
  }
  expect(normalize(empty.stdout, root.path)).toMatchObject({
    exit_code: 1,
    error: { kind: 'parse', message: 'there is no message' },
  });
});

test('an answer with control characters reaches a pipe unchanged', async () => {
  const answer = 'a\u001b[31mred\u0007';
  const script = await root.script([{ text: answer }]);

  const { stdout } = await root.claw(['ask', 'hello'], script);

  expect(stdout).toBe(`${answer}\n`);
});

test('another token than the server has is refused, saying so', async () => {
  await root.serveInline();

  const ended = await root.inline(['ask', 'hello', ...JSON_FORMAT], {
    env: { API_BEARER_TOKEN: 'wrong' },
  });

  expect(normalize(ended.stdout, root.path)).toMatchObject({
    ...common('ask', 1),
    error: {
      kind: 'auth',
      operation: 'ask',
      retryable: false,
      hint: expect.stringContaining('API_BEARER_TOKEN'),
    },
  });
});

test('a dead server that never said goodbye is not waited for', async () => {
  const server = await root.serve();
  server.child.kill('SIGKILL');
  await server.ended;

  const { stdout } = await root.inline(['ask', 'what time is it?', ...JSON_FORMAT]);

  expect(normalize(stdout, root.path)).toMatchObject({ exit_code: 0, via: 'local' });
});

test('commands beside each other keep every event, and the audit stays whole', async () => {
  const asked = await Promise.all(
    [1, 2, 3, 4].map((number) =>
      root.claw([
        'ask',
        `/tool fs.write {"path":"${number}.txt","content":"${number}"}`,
        ...JSON_FORMAT,
      ]),
    ),
  );
  const verified = await root.inline(['audit', 'verify', ...JSON_FORMAT]);

  expect(asked.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const report = normalize(verified.stdout, root.path);
  expect(report).toMatchObject({ exit_code: 0, verified: true, runs_count: 4 });
  expect(report['audit_lines_count']).toBe(report['events_count']);
});

test('a server that is lost for good does not hold up a deadline', async () => {
  const script = await root.script([{ text: THINKING, hang: true }]);
  const server = await root.serve(script);
  const asking = root.start(['ask', 'hello', '--stream', '--timeout-seconds', '3'], script);
  await asking.saw('stdout', 'Thinking');
  server.child.kill('SIGKILL');

  const ended = await asking.ended;

  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/out of time: cancelling\nerror: /);
});

const OFFLINE = { env: { CLAW_MODEL: 'offline/rules' } };

test('another model, and a conversation that is not there, are looked for', async () => {
  const ask = ['ask', 'hello', ...JSON_FORMAT];

  const otherModel = await root.inline([...ask, '--model', 'nobody/knows'], OFFLINE);
  const lost = await root.inline([...ask, '--session', 'session_nobody'], OFFLINE);

  expect(JSON.parse(otherModel.stdout)).toMatchObject({
    exit_code: 1,
    error: { message: expect.stringContaining('"nobody/knows" names no known provider') },
  });
  expect(JSON.parse(lost.stdout)).toMatchObject({ error: { kind: 'session_not_found' } });
});

test('a message goes with files into a conversation, by a model of its own', async () => {
  await root.serveInline(OFFLINE);
  const chat = await root.inline(['chat', 'hello', ...JSON_FORMAT], OFFLINE);
  const { session_id: session } = JSON.parse(chat.stdout);
  const file = join(root.path, 'notes.txt');
  await writeFile(file, 'the answer is 42\n');
  const options = ['--session', session, '--file', file, '--model', 'offline/rules'];

  const asked = await root.inline(['ask', 'look', ...options, ...JSON_FORMAT], OFFLINE);
  const said = await root.inline(['sessions', 'messages', session, ...JSON_FORMAT], OFFLINE);

  expect(JSON.parse(asked.stdout)).toMatchObject({ exit_code: 0, provider: 'offline' });
  expect(said.stdout).toContain('the answer is 42');
});
