import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprintWorkspace } from '../../../src/core/transcripts/fingerprint-workspace.ts';
import { type ClawRoot, common, normalize, openClawRoot } from '../cli/claw.ts';

let root: ClawRoot;
let folder: string;

/** As they stand in documents, where the root is replaced. */
let directory: string;

beforeEach(async () => {
  root = await openClawRoot();
  const below = `.claw/sessions/${fingerprintWorkspace(root.path)}`;
  folder = join(root.path, below);
  directory = `<root>/${below}`;
});

afterEach(() => root.dispose());

/** Runs a command in JSON mode and checks what holds for all of them. */
async function document(...args: readonly string[]) {
  const { code, stdout, stderr } = await root.claw(['--output-format', 'json', ...args]);
  const value = normalize(
    stdout.replace(/"last_modified":"[^"]+Z"/g, '"last_modified":"<time>"'),
    root.path,
  );
  expect(stderr).toBe('');
  expect(value['exit_code']).toBe(code);
  return value;
}

async function text(...args: readonly string[]) {
  const { code, stdout, stderr } = await root.claw(args);
  return {
    code,
    stdout: stdout.replaceAll(root.path, '<root>'),
    stderr: stderr.replaceAll(root.path, '<root>'),
  };
}

async function flush(prompt: string, id: string) {
  return root.claw(['flush-transcript', '--prompt', prompt, '--session-id', id]);
}

const LIST_HINT = 'claw list-sessions shows the sessions there are';

const notFound = (name: string) => ({
  name,
  found: false,
  session_id: name,
  directory,
  error: {
    kind: 'session_not_found',
    operation: 'resolve_session',
    target: name,
    retryable: false,
    message: `session '${name}' not found in ${directory}`,
    hint: LIST_HINT,
  },
});

test('an empty workspace has no sessions, and gets nothing by being asked', async () => {
  const list = await document('list-sessions');
  const said = await text('list-sessions');
  const loaded = await document('load-session', 'latest');
  const deleted = await document('delete-session', 's1');
  const flushed = await document('flush-transcript', 's1');

  expect(list).toEqual({
    ...common('list-sessions', 0),
    directory,
    sessions_count: 0,
    sessions: [],
    truncated: false,
  });
  expect(said).toEqual({ code: 0, stdout: '(no sessions)\n', stderr: '' });
  expect(loaded).toEqual({ ...common('load-session', 1), ...notFound('latest'), loaded: false });
  expect(deleted).toEqual({ ...common('delete-session', 1), ...notFound('s1'), deleted: false });
  expect(flushed).toEqual({ ...common('flush-transcript', 1), ...notFound('s1'), flushed: false });
  expect(await readdir(root.path)).toEqual([]);
});

test('a session is made, listed, loaded and deleted', async () => {
  const made = await document('flush-transcript', '--prompt', 'hello there', '--session-id', 's1');
  const list = await document('list-sessions');
  const loaded = await document('load-session', 's1');
  const deleted = await document('delete-session', 's1');

  const path = `${directory}/s1.jsonl`;
  const counts = { messages_count: 1, input_tokens: 0, output_tokens: 0 };
  expect(made).toEqual({
    ...common('flush-transcript', 0),
    session_id: 's1',
    path,
    flushed: true,
    ...counts,
    directory,
  });
  expect(list).toEqual({
    ...common('list-sessions', 0),
    directory,
    sessions_count: 1,
    sessions: [
      {
        session_id: 's1',
        created_at: '<time>',
        last_modified: '<time>',
        prompt_count: 1,
        stopped: false,
        id: 's1',
        path,
        updated_at_ms: expect.any(Number),
        message_count: 1,
        readable: true,
      },
    ],
    truncated: false,
  });
  expect(loaded).toEqual({
    ...common('load-session', 0),
    session_id: 's1',
    loaded: true,
    directory,
    path,
    ...counts,
    torn_tail: false,
    created_at: '<time>',
    last_modified: '<time>',
    workspace_root: '<root>',
    model: null,
    parent_session_id: null,
    session: { id: 's1', path, messages: 1 },
  });
  expect(deleted).toEqual({
    ...common('delete-session', 0),
    session_id: 's1',
    deleted: true,
    directory,
  });
});

test('people get the few words they asked for', async () => {
  const made = await text('flush-transcript', '--prompt', 'hello', '--session-id', 's1');
  await flush('hello', 's2');
  const list = await text('list-sessions', '--limit', '1');
  const loaded = await text('load-session', 'latest');
  const deleted = await text('delete-session', 's1');
  const again = await text('delete-session', 's1');

  expect(made).toEqual({
    code: 0,
    stdout: `${directory}/s1.jsonl\nflushed=True\n`,
    stderr: '',
  });
  expect(list).toEqual({
    code: 0,
    stdout: 's2\n',
    stderr: 'note: these are the first 1; there are more\n',
  });
  expect(loaded).toEqual({ code: 0, stdout: 's2\n1 messages\nin=0 out=0\n', stderr: '' });
  expect(deleted).toEqual({ code: 0, stdout: 'deleted: s1\n', stderr: '' });
  expect(again).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: session 's1' not found in ${directory}\nhint: ${LIST_HINT}\n`,
  });
});

test('an id is fresh when none is given', async () => {
  const made = await document('flush-transcript', '--prompt', 'hello');

  expect(made['session_id']).toMatch(/^session-\d{13}-\d+$/);
});

test('a damaged session is not one that is absent', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 's1.jsonl'), '{"type":"session_meta"}\nno\n{"type":"x"}\n');

  const loaded = await document('load-session', 's1');
  const flushed = await document('flush-transcript', 's1');
  const list = await document('list-sessions');

  const path = `${directory}/s1.jsonl`;
  const error = {
    kind: 'session_load_failed',
    operation: 'load_session',
    target: path,
    retryable: true,
    message: "session 's1' can't be read: line 2: it is not valid JSON",
    hint: `look at line 2 of ${path}`,
  };
  expect(loaded).toEqual({
    ...common('load-session', 1),
    session_id: 's1',
    loaded: false,
    directory,
    error,
  });
  expect(flushed).toMatchObject({ flushed: false, error });
  expect(list).toMatchObject({
    exit_code: 0,
    sessions: [{ session_id: 's1', readable: false, updated_at_ms: 0, message_count: 0 }],
  });
});

test('what a crash cut off is told, and gone after a flush', async () => {
  await flush('hello', 's1');
  await appendFile(join(folder, 's1.jsonl'), '{"type":"message","mess');

  const said = await text('load-session', 's1');
  const torn = await document('load-session', 's1');
  await root.claw(['flush-transcript', 's1']);
  const whole = await document('load-session', 's1');

  expect(said.stdout).toBe('s1\n1 messages\nin=0 out=0\n');
  expect(said.stderr).toMatch(/^note: the last line of s1 was cut off by a crash/);
  expect([torn['torn_tail'], whole['torn_tail']]).toEqual([true, false]);
});

test('a session that can not be deleted is not one that is absent', async () => {
  await mkdir(join(folder, 's1.jsonl'), { recursive: true });

  const deleted = await document('delete-session', 's1');

  expect(deleted).toEqual({
    ...common('delete-session', 1),
    session_id: 's1',
    deleted: false,
    directory,
    error: {
      kind: 'session_delete_failed',
      operation: 'delete_session',
      target: `${directory}/s1.jsonl`,
      retryable: true,
      message: expect.stringMatching(/^session 's1' can't be deleted: .+ \(E[A-Z]+\)$/),
      hint: expect.any(String),
    },
  });
});

test('a session is made once', async () => {
  await flush('one', 's1');

  expect(await document('flush-transcript', '--prompt', 'two', '--session-id', 's1')).toEqual({
    ...common('flush-transcript', 1),
    session_id: 's1',
    flushed: false,
    directory,
    error: {
      kind: 'runtime',
      operation: 'create_session',
      target: `${directory}/s1.jsonl`,
      retryable: false,
      message: "session 's1' already exists",
      hint: 'choose another id',
    },
  });
});

test.each(['../s1', '..', '/etc/passwd', 'a b', 'x'.repeat(300), ''])(
  '%j is no session: refused before any file is touched',
  async (id) => {
    for (const verb of ['load-session', 'delete-session', 'flush-transcript']) {
      expect(await document(verb, id)).toMatchObject({
        exit_code: 1,
        error: { kind: 'usage', operation: 'resolve_session', retryable: false },
      });
    }
    expect(
      await document('flush-transcript', '--prompt=x', `--session-id=${id || '.'}`),
    ).toMatchObject({ exit_code: 1, error: { kind: 'usage' } });
    expect(await readdir(root.path)).toEqual([]);
  },
);

test.each([
  [
    ['list-sessions', '--limit', '0'],
    'option --limit must be a whole number from 1 to 1000 (it is "0")',
  ],
  [['list-sessions', 'x'], 'unexpected argument "x"'],
  [['load-session'], 'argument SESSION is missing'],
  [['delete-session'], 'argument SESSION is missing'],
  [['flush-transcript'], 'argument SESSION is missing'],
  [['flush-transcript', 's1', '--prompt', 'x'], 'a session and --prompt exclude each other'],
  [['flush-transcript', 's1', '--session-id', 'x'], '--session-id needs --prompt'],
  [['flush-transcript', '--prompt', '  '], 'option --prompt must not be blank'],
])('%j can not be read', async (args, message) => {
  const json = await document(...args);
  const said = await text(...args);

  expect(json).toMatchObject({
    exit_code: 1,
    error: { kind: 'parse', target: args[0], retryable: false, message },
  });
  expect([said.code, said.stdout]).toEqual([2, '']);
});

test('--directory is the folder itself', async () => {
  await root.claw(['flush-transcript', '--prompt=x', '--session-id=s1', '--directory', 'archive']);

  expect(await readdir(join(root.path, 'archive'))).toContain('s1.jsonl');
  expect(await document('list-sessions', '--directory', 'archive')).toMatchObject({
    directory: '<root>/archive',
    sessions_count: 1,
  });
  expect(await document('list-sessions', '--directory', 'absent')).toMatchObject({
    exit_code: 0,
    sessions_count: 0,
  });
});

test('a folder that can not be read is a fault of the file system', async () => {
  await writeFile(join(root.path, 'file'), '');

  expect(await document('list-sessions', '--directory', 'file')).toEqual({
    ...common('list-sessions', 1),
    error: {
      kind: 'filesystem',
      operation: 'readdir',
      target: '<root>/file',
      retryable: true,
      message: 'readdir <root>/file: not a directory (ENOTDIR)',
      hint: 'a part of the path is a file where a folder is needed',
    },
  });
});

test('of eight programs that delete a session exactly one has deleted it', async () => {
  await flush('hello', 's1');

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => document('delete-session', 's1')),
  );

  expect(answers.map(({ deleted }) => deleted).sort()).toEqual([...Array(7).fill(false), true]);
  expect(answers.map(({ exit_code: code }) => code).sort()).toEqual([0, ...Array(7).fill(1)]);
});

test('the older envelope has the same members', async () => {
  await flush('hello', 's1');

  const loaded = await root.claw([
    'load-session',
    's1',
    '--output-format=json',
    '--legacy-envelope',
  ]);
  const missing = await root.claw([
    'load-session',
    'x',
    '--output-format=json',
    '--legacy-envelope',
  ]);

  expect(JSON.parse(loaded.stdout)).toMatchObject({
    kind: 'load-session',
    type: 'success',
    session: { id: 's1', messages: 1 },
  });
  expect(JSON.parse(missing.stdout)).toEqual({
    type: 'error',
    kind: 'session_not_found',
    error: `session 'x' not found in ${folder}`,
    hint: LIST_HINT,
  });
});
