import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../../src/storage/sqlite/driver.ts';
import { type ClawRoot, common, normalize, openClawRoot, runIdIn } from './claw.ts';

let root: ClawRoot;
let id: string;

beforeEach(async () => {
  root = await openClawRoot();
  await root.inline(['ask', '/tool time.now {}']);
  id = runIdIn((await root.inline(['ask', '/tool fs.list {}', '--output-format', 'json'])).stdout);
});

afterEach(() => root.dispose());

async function verify(...args: string[]) {
  const ended = await root.inline(['audit', 'verify', ...args, '--output-format', 'json']);
  expect(ended.stderr).toBe('');
  return normalize(ended.stdout, root.path);
}

function alter(sql: string): void {
  const db = connect(join(root.path, '.openclawssy/pincer.db'), { readOnly: false });
  db.prepare(sql).run(id);
  db.close();
}

async function auditFile(): Promise<string> {
  const directory = join(root.path, '.openclawssy/agents/agent_default/audit');
  return join(directory, (await readdir(directory))[0] ?? '');
}

test('an untouched log verifies, whole and by run', async () => {
  const all = await verify();
  const one = await verify('--run', id);

  const count = all['events_count'];
  expect(all).toEqual({
    ...common('audit verify', 0),
    verified: true,
    runs_count: 2,
    pruned_runs_count: 0,
    events_count: expect.any(Number),
    audit_files_count: 1,
    audit_lines_count: count,
    pending_runs_count: 0,
    accepted_losses_count: 0,
    signatures: {
      heads_count: 2,
      signed_lines_count: count,
      unsigned_lines_count: 0,
      signed_through: expect.any(String),
      fingerprints: [expect.stringMatching(/^[0-9a-f]{16}$/)],
    },
    node_id: null,
    held_elsewhere: [],
    faults_count: 0,
    first_fault: null,
    faults: [],
  });
  expect(one).toMatchObject({ exit_code: 0, verified: true, runs_count: 1 });
  expect(await root.claw(['audit', 'verify'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok: /),
  });
});

test('an event altered in the database is found, with run, seq and reason', async () => {
  alter(
    `UPDATE events SET payload = replace(payload, 'fs.list', 'fs.read') WHERE part_no = (SELECT no FROM runs WHERE id = ?) AND seq = 3`,
  );

  const report = await verify();
  const said = await root.claw(['audit', 'verify']);

  const fault = {
    where: 'database',
    run_id: '<run>',
    seq: 3,
    reason: 'hash_mismatch',
    file: null,
    line: null,
  };
  expect(report).toMatchObject({
    ...common('audit verify', 1),
    verified: false,
    faults_count: 1,
    first_fault: fault,
    faults: [fault],
    error: {
      kind: 'runtime',
      operation: 'verify_chain',
      target: '<run>',
      retryable: false,
      message: '1 broken, first event 3 of <run> in the database: hash_mismatch',
    },
  });
  expect(said.code).toBe(1);
  expect(said.stdout).toContain(`event 3 of ${id} in the database: hash_mismatch\n`);
});

test('events cut off at the end are missed', async () => {
  alter('DELETE FROM events WHERE part_no = (SELECT no FROM runs WHERE id = ?) AND seq >= 4');

  expect(await verify('--run', id)).toMatchObject({
    exit_code: 1,
    first_fault: { where: 'database', seq: 4, reason: 'missing_events' },
  });
});

test('a line altered in an audit file is found, with file and line', async () => {
  const file = await auditFile();
  const lines = (await readFile(file, 'utf8')).split('\n');
  const line = lines.findIndex((text) => text.includes(id) && text.includes('"seq":2'));
  lines[line] = lines[line]?.replace('local:', 'other:') ?? '';
  await writeFile(file, lines.join('\n'));

  const report = await verify();

  expect(report).toMatchObject({
    exit_code: 1,
    faults_count: 1,
    first_fault: {
      where: 'audit_file',
      run_id: '<run>',
      seq: 2,
      reason: 'altered',
      line: line + 1,
    },
  });
});

test('a run that only the audit files know is missed in the database, with its last line', async () => {
  alter('DELETE FROM events WHERE part_no = (SELECT no FROM runs WHERE id = ?)');
  alter('DELETE FROM run_texts WHERE run_no = (SELECT no FROM runs WHERE id = ?)');
  alter('DELETE FROM runs WHERE id = ?');

  expect(await verify()).toMatchObject({
    exit_code: 1,
    faults_count: 1,
    first_fault: {
      where: 'database',
      run_id: '<run>',
      reason: 'missing_run',
      file: expect.stringMatching(/\.jsonl$/),
      line: expect.any(Number),
    },
  });
});

test('a stranger checks the files, and a run, with nothing but the public key', async () => {
  const day = join(root.path, 'day.jsonl');
  await copyFile(await auditFile(), day);
  const shown = JSON.parse((await root.inline(['audit', 'key', '--output-format', 'json'])).stdout);
  const pub = join(root.path, 'node.pub');
  await writeFile(pub, (await root.claw(['audit', 'key'])).stdout);
  const run = join(root.path, 'run.jsonl');
  const exported = await root.claw(['audit', 'export', '--run', id, '-o', run]);
  const printed = await root.claw(['audit', 'export', '--run', id]);
  await rm(join(root.path, '.openclawssy'), { recursive: true });

  const files = await root.claw(['audit', 'verify', day, '--key', pub]);
  const one = await root.claw(['audit', 'verify', run, '--key', shown.public_key]);

  expect(exported.stdout).toMatch(
    new RegExp(`^\\d+ events of ${id} are in .*run.jsonl, signed by ${shown.fingerprint}\n$`),
  );
  expect(printed.stdout.split('\n').length).toBe((await readFile(run, 'utf8')).split('\n').length);
  expect([files.code, files.stdout]).toEqual([
    0,
    expect.stringMatching(/^ok: \d+ lines of 2 runs/),
  ]);
  expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^ok: \d+ lines of 1 runs/)]);
  expect(await readdir(root.path)).not.toContain('.openclawssy');

  const lines = (await readFile(run, 'utf8')).split('\n');
  await writeFile(run, lines.toSpliced(1, 1).join('\n'));
  const broken = await root.claw(['audit', 'verify', run, '--key', pub]);
  expect(broken.code).toBe(1);
  expect(broken.stdout).toContain(`event 2 of ${id} in ${run}:2: missing_seq`);
});

test('a record that was altered is not exported, and no file is written over', async () => {
  const file = join(root.path, 'run.jsonl');
  await writeFile(file, 'mine');
  const taken = await root.claw(['audit', 'export', '--run', id, '-o', file]);
  alter(
    `UPDATE events SET payload = replace(payload, 'fs.list', 'fs.read') WHERE part_no = (SELECT no FROM runs WHERE id = ?) AND seq = 3`,
  );
  const altered = await root.claw(['audit', 'export', '--run', id]);

  expect([taken.code, await readFile(file, 'utf8')]).toEqual([1, 'mine']);
  expect(taken.stderr).toContain('exists already');
  expect([altered.code, altered.stdout]).toEqual([1, '']);
  expect(altered.stderr).toContain('its record is not whole: hash_mismatch');
});

test.each([
  [1, ['absent.jsonl'], "absent.jsonl can't be read: ENOENT"],
  [
    2,
    ['absent.jsonl', '--key', 'nonsense'],
    '"nonsense" is neither a public key nor a file with one',
  ],
  [2, ['--part'], '--key and --part go with files'],
  [2, ['absent.jsonl', '--run', 'run_1'], '--run goes without'],
])('exits with %i for %j', async (code, args, message) => {
  const ended = await root.inline(['audit', 'verify', ...args]);

  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(message);
});

test('after kill -9 the next start goes on with the chain of heads', async () => {
  const server = await root.serve();
  await root.claw(['ask', '/tool time.now {}']);
  server.child.kill('SIGKILL');
  await server.ended;

  await root.inline(['ask', '/tool time.now {}']);

  const key = JSON.parse((await root.inline(['audit', 'key', '--output-format', 'json'])).stdout);
  const given = await root.inline(['audit', 'verify', await auditFile(), '--key', key.public_key]);
  expect([given.code, given.stdout]).toEqual([0, expect.stringMatching(/^ok: .* of 4 runs/)]);
  expect(await verify()).toMatchObject({ verified: true, signatures: { unsigned_lines_count: 0 } });
});

test('a run that does not exist is not found', async () => {
  expect(await verify('--run', 'run_absent')).toMatchObject({
    ...common('audit verify', 1),
    name: 'run_absent',
    found: false,
    error: { kind: 'run_not_found' },
  });
});
