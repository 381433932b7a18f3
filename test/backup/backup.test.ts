import { existsSync } from 'node:fs';
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../src/core/log.ts';
import { openServer } from '../../src/server.ts';
import { runClaw } from '../support/run-claw.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

let temp: TempRoot;

beforeEach(async () => {
  temp = await openTempRoot();
  await mkdir(inTemp('old'));
});

afterEach(() => temp.remove());

const inTemp = (...names: string[]) => join(temp.path, ...names);
const FILE = () => inTemp('x.backup');

interface Document extends Record<string, unknown> {
  readonly code: number;
  readonly error?: { readonly message: string; readonly hint?: string };
}

async function claw(root: string, args: readonly string[], env = {}): Promise<Document> {
  const { code, stdout } = await runClaw(
    inTemp(root),
    [...args, '--root', inTemp(root), '--output-format', 'json'],
    { env: { CLAW_MODEL: 'offline/rules', ...env }, input: 'value-of-the-secret\n' },
  );
  return { ...(JSON.parse(stdout) as object), code };
}

/** An installation with something of everything. */
async function fill(): Promise<void> {
  expect(await claw('old', ['ask', '/tool time.now {}'])).toMatchObject({ code: 0 });
  expect(await claw('old', ['secrets', 'set', 'foo/bar'])).toMatchObject({ code: 0 });
  await mkdir(inTemp('old', 'souls'), { recursive: true });
  await writeFile(inTemp('old', 'souls', 'lince.md'), 'a soul');
  await mkdir(inTemp('old', 'workspace', 'empty'), { recursive: true });
  await writeFile(inTemp('old', 'workspace', 'notes.txt'), 'a note', { mode: 0o640 });
  await symlink('notes.txt', inTemp('old', 'workspace', 'link'));
}

const listRuns = async (root: string) =>
  ((await claw(root, ['runs', 'list']))['runs'] as { id: string }[]).map(({ id }) => id);

test('an installation comes back as it was, with its keys, and its records verify', async () => {
  await fill();

  const written = await claw('old', ['backup', FILE(), '--workspace']);
  const restored = await claw('new', ['restore', FILE()]);

  expect(written).toMatchObject({ code: 0, has_secrets: true, audit: { faults_count: 0 } });
  expect(restored).toMatchObject({ code: 0, kept: [], sha256: written['sha256'] });
  expect(await listRuns('new')).toEqual(await listRuns('old'));
  expect(await claw('new', ['audit', 'verify'])).toMatchObject({ code: 0, faults_count: 0 });
  expect(await claw('new', ['secrets', 'list'])).toMatchObject({ keys: ['foo/bar'] });
  expect(await readFile(inTemp('new', 'souls', 'lince.md'), 'utf8')).toBe('a soul');
  expect(await readlink(inTemp('new', 'workspace', 'link'))).toBe('notes.txt');
  expect(await readdir(inTemp('new', 'workspace', 'empty'))).toEqual([]);
  const modes = ['.openclawssy/token', '.openclawssy', 'workspace/notes.txt'].map(
    async (name) => (await stat(inTemp('new', name))).mode & 0o777,
  );
  expect(await Promise.all(modes)).toEqual([0o600, 0o700, 0o640]);
  expect(await readdir(inTemp('new'))).not.toContain('.openclawssy.restore');
});

test('the file is private, stands alone, and the checklist knows of it', async () => {
  await fill();
  const before = await claw('old', ['security', 'check']);
  await claw('old', ['backup', FILE()]);
  const after = await claw('old', ['security', 'check']);

  const statusOf = (document: Document, id: string) =>
    (document['checks'] as { id: string; status: string }[]).find((one) => one.id === id)?.status;
  expect([statusOf(before, 'backup_recent'), statusOf(after, 'backup_recent')]).toEqual([
    'warn',
    'pass',
  ]);
  expect(statusOf(after, 'audit_verified')).toBe('pass');
  expect((await lstat(FILE())).mode & 0o777).toBe(0o600);
  expect((await readdir(temp.path)).sort()).toEqual(['old', 'x.backup']);
  expect(existsSync(inTemp('old', '.openclawssy', 'backup.tmp'))).toBe(false);
});

test('without secrets no key is in it, and what is restored starts with new ones', async () => {
  await fill();
  const key = 'sk-of-the-configuration-0123456789';
  const config = inTemp('old', '.openclawssy', 'config.json');
  const servers = { docs: { command: 'x', env: { API_TOKEN: 'mcp-token-0123456789' } } };
  await writeFile(
    config,
    JSON.stringify({ version: 1, providers: { openai: { api_key: key } }, mcpServers: servers }),
  );
  const secrets = await Promise.all(
    ['token', 'master.key', 'runtime-signature.secret', 'secrets.enc'].map((name) =>
      readFile(inTemp('old', '.openclawssy', name), 'utf8'),
    ),
  );

  const written = await claw('old', ['backup', FILE(), '--without-secrets']);
  const restored = await claw('new', ['restore', FILE()]);

  const content = gunzipSync(await readFile(FILE())).toString('latin1');
  const found = [...secrets, key, 'mcp-token-0123456789'].filter((text) =>
    content.includes(text.trim()),
  );
  expect([written.code, restored.code, found]).toEqual([0, 0, []]);
  expect(await claw('new', ['ask', 'hello'])).toMatchObject({ code: 0 });
});

test('a backup goes neither over another file nor where agents read, and needs something to copy', async () => {
  await fill();
  await writeFile(FILE(), 'precious');
  const inWorkspace = inTemp('old', 'workspace', 'x.backup');
  const inState = inTemp('old', '.openclawssy', 'x.backup');

  const refused = await Promise.all([
    claw('old', ['backup', FILE()]),
    claw('old', ['backup', inWorkspace]),
    claw('old', ['backup', inState]),
    claw('nothing', ['backup', inTemp('y.backup')]),
    claw('old', ['backup', inTemp('y.backup'), '--files-only']),
    claw('old', ['backup', inTemp('absent', 'y.backup')]),
  ]);

  expect(refused.map(({ code, error }) => [code, error?.message])).toEqual([
    [1, `${FILE()} is there already`],
    [1, expect.stringContaining('would lie in')],
    [1, expect.stringContaining('would lie in')],
    [1, expect.stringContaining('holds no installation')],
    [1, '--files-only is for installations on PostgreSQL'],
    [1, `there is no folder ${inTemp('absent')}`],
  ]);
  expect(await readFile(FILE(), 'utf8')).toBe('precious');
  expect(await claw('old', ['backup', FILE(), '--overwrite'])).toMatchObject({ code: 0 });
  expect((await readdir(temp.path)).sort()).toEqual(['old', 'x.backup']);
});

test('on PostgreSQL it names pg_dump, and backs the files up when asked', async () => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/pincer' };
  await claw('old', ['init'], env);

  const refused = await claw('old', ['backup', FILE()], env);
  const written = await claw('old', ['backup', FILE(), '--files-only'], env);
  const restored = await claw('new', ['restore', FILE()], env);

  expect(refused).toMatchObject({
    code: 1,
    error: { hint: expect.stringContaining('pg_dump') },
  });
  expect(written).toMatchObject({ code: 0, engine: 'postgres', audit: null });
  expect(restored).toMatchObject({ code: 0, engine: 'postgres' });
  expect(existsSync(inTemp('new', '.openclawssy', 'token'))).toBe(true);
});

test('a state root that is not empty stays, unless it is to be replaced: then it is kept aside', async () => {
  await fill();
  await claw('old', ['backup', FILE()]);
  await claw('new', ['ask', 'a run of its own']);
  const own = await listRuns('new');

  const refused = await claw('new', ['restore', FILE()]);
  const stayed = await listRuns('new');
  const replaced = await claw('new', ['restore', FILE(), '--replace']);

  expect(refused).toMatchObject({
    code: 1,
    error: { message: expect.stringContaining('is there already') },
  });
  expect(stayed).toEqual(own);
  expect(replaced.code).toBe(0);
  expect(await listRuns('new')).toEqual(await listRuns('old'));
  const [kept = ''] = replaced['kept'] as string[];
  expect(existsSync(join(kept, 'pincer.db'))).toBe(true);
});

test('a running server is never restored over', async () => {
  await fill();
  await claw('old', ['backup', FILE()]);
  const server = await openServer({
    root: inTemp('old'),
    env: { CLAW_MODEL: 'offline/rules' },
    flags: { port: '0' },
    logger: silentLogger,
  });
  try {
    const refused = await claw('old', ['restore', FILE(), '--replace']);

    expect(refused).toMatchObject({
      code: 1,
      error: { message: expect.stringContaining('another server uses this state root') },
    });
    expect(await readdir(inTemp('old'))).not.toContain('.openclawssy.restore');
  } finally {
    await server.close();
  }
});

test('records that were altered before the backup are said to be, and restored only when accepted', async () => {
  await fill();
  const audit = inTemp('old', '.openclawssy', 'agents', 'agent_default', 'audit');
  const [name = ''] = await readdir(audit);
  const text = await readFile(join(audit, name), 'utf8');
  await writeFile(join(audit, name), text.replace('"time.now"', '"time.not"'));

  const written = await claw('old', ['backup', FILE()]);
  const refused = await claw('new', ['restore', FILE()]);
  const left = await readdir(inTemp('new')).catch(() => []);
  const accepted = await claw('new', ['restore', FILE(), '--accept-faults']);

  expect(written).toMatchObject({ code: 1, audit: { faults_count: 1 } });
  expect(refused).toMatchObject({
    code: 1,
    error: { message: expect.stringContaining('1 faults') },
  });
  expect([left, accepted.code]).toEqual([[], 0]);
});

test('transcripts come back: to the same path as they were, to another in their folder', async () => {
  await claw('old', ['ask', 'hello']);
  await claw('old', ['flush-transcript', '--prompt', 'hello']);
  const [folder = ''] = await readdir(inTemp('old', '.claw', 'sessions'));
  const countIn = async (root: string, ...more: string[]) =>
    ((await claw(root, ['list-sessions', ...more]))['sessions'] as object[]).length;

  await claw('old', ['backup', FILE()]);
  await claw('old', ['restore', FILE(), '--replace']);
  await claw('new', ['restore', FILE()]);

  const moved = ['--directory', inTemp('new', '.claw', 'sessions', folder)];
  expect([await countIn('old'), await countIn('new', ...moved)]).toEqual([1, 1]);
});

test('a key that lies beside the state folder comes along, and replaces no other without being told', async () => {
  await claw('old', ['config', 'set', 'secrets.master_key_file', 'keys/master.key']);
  await claw('old', ['ask', 'hello']);
  await claw('old', ['secrets', 'set', 'foo/bar']);
  await claw('old', ['backup', FILE()]);
  await mkdir(inTemp('new', 'keys'), { recursive: true });
  await writeFile(inTemp('new', 'keys', 'master.key'), 'another key');

  const refused = await claw('new', ['restore', FILE()]);
  const stayed = await readFile(inTemp('new', 'keys', 'master.key'), 'utf8');
  const replaced = await claw('new', ['restore', FILE(), '--replace']);

  expect([refused.code, stayed, replaced.code]).toEqual([1, 'another key', 0]);
  const [kept = ''] = replaced['kept'] as string[];
  expect(await readFile(kept, 'utf8')).toBe('another key');
  expect(await claw('new', ['secrets', 'list'])).toMatchObject({ code: 0, keys: ['foo/bar'] });
});
