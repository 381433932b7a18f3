import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, common, normalize, openClawRoot, runIdIn } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

const JSON_FORMAT = ['--output-format', 'json'];

/** Runs a command in JSON mode and checks what holds for all of them. */
async function document(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const ended = await root.inline([...JSON_FORMAT, ...args], { env });
  const value = normalize(ended.stdout, root.path);
  expect(ended.stderr).toBe('');
  expect(value['exit_code']).toBe(ended.code);
  return value;
}

async function text(args: readonly string[]) {
  const { code, stdout, stderr } = await root.inline(args);
  return {
    code,
    stdout: stdout.replaceAll(root.path, '<root>'),
    stderr: stderr.replaceAll(root.path, '<root>'),
  };
}

const RUN = {
  agent_id: 'agent_default',
  source: 'cli',
  status: 'completed',
  stop_reason: 'completed',
  message: '/tool fs.write {"path":"a.txt","content":"one"}',
  output: 'fs.write: {"bytes":3,"lines":1,"path":"a.txt","summary":"wrote 1 line(s) to a.txt"}',
  provider: '',
  model: '',
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
  tool_calls: 1,
  duration_ms: '<ms>',
};

const SHOWN_RUN = {
  id: '<run>',
  ...RUN,
  artifact_path: '.openclawssy/agents/agent_default/runs/<run>',
  created_at: '<time>',
  updated_at: '<time>',
};

async function writeOnce(): Promise<string> {
  const { stdout, code } = await root.inline(['ask', RUN.message, ...JSON_FORMAT]);
  expect(code).toBe(0);
  return runIdIn(stdout);
}

test('version answers in both formats, by word and by flag', async () => {
  const value = await document(['version']);

  expect(value).toEqual({
    ...common('version', 0),
    name: 'pincer',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node_version: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  });
  for (const args of [['version'], ['--version'], ['-V'], ['--version', '--no-color']]) {
    expect(await text(args)).toEqual({ code: 0, stdout: `claw ${value['version']}\n`, stderr: '' });
  }
});

test('init creates what is missing once, and says what it made and what was there', async () => {
  const all = [
    '.openclawssy',
    '.openclawssy/config.json',
    '.openclawssy/token',
    '.openclawssy/runtime-signature.secret',
    'workspace',
  ];
  await mkdir(join(root.path, 'workspace'));
  const first = await document(['init']);
  const second = await document(['init']);
  const third = await text(['init']);

  const rest = {
    ...{ root: '<root>', root_from: 'working_directory', workspace: '<root>/workspace' },
    ...{ warnings: [], next_steps: expect.any(Array) },
  };
  const [made, there] = [all.slice(0, -1), all.slice(-1)];
  expect(first).toEqual({ ...common('init', 0), created: made, existing: there, ...rest });
  expect(second).toEqual({ ...common('init', 0), created: [], existing: all, ...rest });
  expect(third).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^<root> has everything already:\n {2}\.openclawssy\n(?: {2}.+\n)+agents work in <root>\/workspace\nnext:\n {2}claw chat talks/,
    ),
    stderr: '',
  });
});

test('what init suggests works from where it was called, also for a root elsewhere', async () => {
  const ended = await root.claw(['init', '--root', 'my agents']);
  const stdout = ended.stdout.replaceAll(root.path, '<root>');
  const step = /^ {2}(claw doctor.*) checks everything$/m.exec(stdout)?.[1] ?? '';

  expect(stdout).toMatch(/^created in <root>\/my agents:\n {2}\.\n {2}\.openclawssy\n/);
  expect(step).toBe("claw doctor --root '<root>/my agents'");
  expect(await readdir(root.path)).toEqual(['my agents']);
});

test('a corrupt config is refused with file, field and fix', async () => {
  await mkdir(join(root.path, '.openclawssy'));
  await writeFile(join(root.path, '.openclawssy/config.json'), '{"server":{"prt":1}}');

  const value = await document(['init']);
  const said = await text(['ask', 'hi']);

  expect(value).toEqual({
    ...common('init', 1),
    error: {
      kind: 'usage',
      operation: 'init',
      target: '<root>/.openclawssy/config.json',
      retryable: false,
      message: 'config file <root>/.openclawssy/config.json: server.prt is not a known field',
      hint: 'did you mean server.port?',
    },
  });
  expect(said).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: .*server\.prt.*\nhint: did you mean server\.port\?\n$/),
  });
});

test('runs of a root that was never used: an empty list, not found, and nothing is created', async () => {
  const list = await document(['runs', 'list']);
  const shown = await document(['runs', 'show', 'run_absent']);
  const verified = await document(['audit', 'verify']);
  const cancelled = await text(['runs', 'cancel', 'run_absent']);

  expect(list).toEqual({
    ...common('runs list', 0),
    runs_count: 0,
    runs: [],
    next_cursor: null,
    via: 'local',
  });
  expect(shown).toEqual({
    ...common('runs show', 1),
    name: 'run_absent',
    found: false,
    error: {
      kind: 'run_not_found',
      operation: 'find_run',
      target: 'run_absent',
      retryable: false,
      message: 'run run_absent does not exist',
      hint: 'claw runs list shows the runs there are',
    },
  });
  expect(verified).toMatchObject({ exit_code: 0, verified: true, runs_count: 0, events_count: 0 });
  expect(cancelled).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: run run_absent does not exist\nhint: claw runs list shows the runs there are\n',
  });
  expect(await readdir(root.path)).toEqual([]);
});

test('ask, list, show, watch and cancel tell the same run, without a server', async () => {
  const asked = await document(['ask', RUN.message]);
  const list = await document(['runs', 'list', '--status', 'completed', '--limit', '5']);
  const id = runIdIn((await root.claw(['runs', 'list'])).stdout);
  const shown = await document(['runs', 'show', id]);
  const watched = await document(['runs', 'watch', id]);
  const cancelled = await document(['runs', 'cancel', id]);

  const { source: _source, message: _message, agent_id, ...answer } = RUN;
  expect(asked).toEqual({
    ...common('ask', 0),
    run_id: '<run>',
    agent_id,
    ...answer,
    via: 'local',
  });
  const last_seq = shown['last_seq'];
  const run = { ...SHOWN_RUN, last_seq };
  expect(list).toEqual({
    ...common('runs list', 0),
    runs_count: 1,
    runs: [run],
    next_cursor: null,
    via: 'local',
  });
  expect(shown).toEqual({
    ...common('runs show', 0),
    ...run,
    open_approval: null,
    trace: {
      tool_execution_results: [
        {
          tool: 'fs.write',
          tool_call_id: expect.any(String),
          arguments: { path: 'a.txt', content: 'one' },
          summary: 'wrote 1 line(s) to a.txt',
          output: '{"bytes":3,"lines":1,"path":"a.txt","summary":"wrote 1 line(s) to a.txt"}',
          error: '',
          duration_ms: '<ms>',
        },
      ],
      truncated: false,
    },
    via: 'local',
  });
  expect(watched).toEqual({
    ...common('runs watch', 0),
    ...run,
    events_count: last_seq,
    via: 'local',
  });
  expect(cancelled).toEqual({
    ...common('runs cancel', 0),
    id: '<run>',
    status: 'completed',
    cancel_requested: false,
    idempotent_replay: true,
    via: 'local',
  });
});

test('text for people: the list, one run, and the run as it went', async () => {
  const id = await writeOnce();

  const list = await text(['runs', 'list']);
  const shown = await text(['runs', 'show', id]);
  const watched = await text(['runs', 'watch', id]);
  const cancelled = await text(['runs', 'cancel', id]);

  expect(list.stdout).toMatch(
    new RegExp(`^${id}  completed   \\d{4}-\\d\\d-\\d\\d .*/tool fs\\.write`),
  );
  expect(shown.stdout).toContain(`run       ${id}\nstatus    completed\n`);
  expect(shown.stdout).toMatch(/tools:\n {2}fs\.write ok, .*: wrote 1 line\(s\) to a\.txt\n/);
  const labels = [...watched.stdout.matchAll(/^\d\d:\d\d:\d\d {2}(\w+)/gm)].map(
    ([, label]) => label,
  );
  expect(labels).toEqual(['created', 'started', 'tool', 'result', 'completed']);
  expect(cancelled.stdout).toBe(`run ${id} had ended already: completed\n`);
});

test('pages go on where the last one ended', async () => {
  for (const word of ['one', 'two', 'three']) {
    await root.inline(['ask', `/tool fs.write {"path":"${word}.txt","content":""}`]);
  }

  const first = await document(['runs', 'list', '--limit', '2']);
  const cursor = runIdIn(
    /more: .*/.exec((await root.claw(['runs', 'list', '--limit', '2'])).stdout)?.[0] ?? '',
  );
  const second = await document(['runs', 'list', '--limit', '2', '--cursor', cursor]);

  const messages = (value: typeof first) =>
    (value['runs'] as { message: string }[]).map(({ message }) => message);
  expect(messages(first).map((message) => /(\w+)\.txt/.exec(message)?.[1])).toEqual([
    'three',
    'two',
  ]);
  expect(messages(second).map((message) => /(\w+)\.txt/.exec(message)?.[1])).toEqual(['one']);
  expect(second['next_cursor']).toBe(null);
});

test('an unknown agent is not found, by name', async () => {
  const value = await document(['ask', 'hello', '--agent', 'nobody']);

  expect(value).toEqual({
    ...common('ask', 1),
    name: 'nobody',
    found: false,
    error: {
      kind: 'agent_not_found',
      operation: 'find_agent',
      target: 'nobody',
      retryable: false,
      message: 'agent nobody does not exist',
      hint: 'claw agents list shows the agents there are',
    },
  });
});
