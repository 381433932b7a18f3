import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnvironment } from '../environment.ts';
import { findServer, publishServer, unpublishServer } from './server-file.ts';
import { prepareStateRoot } from './state-root.ts';

let root: string;
let serverFile: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-server-file-'));
  const { loaded } = await prepareStateRoot({ root, env: readEnvironment({}) });
  serverFile = loaded.paths.serverFile;
});
afterEach(() => rm(root, { recursive: true, force: true }));

const OURS = {
  pid: process.pid,
  url: 'http://127.0.0.1:3000',
  build: 'b1',
  startedAt: '2026-02-15T00:00:00.000Z',
};

test('a live server is found where it published itself', async () => {
  await publishServer(root, OURS);

  expect(await findServer(root)).toEqual(OURS);
  expect((await stat(serverFile)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(serverFile, 'utf8'))).toEqual({
    pid: process.pid,
    url: 'http://127.0.0.1:3000',
    build: 'b1',
    started_at: '2026-02-15T00:00:00.000Z',
  });
});

test('a dead server is not found', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  await publishServer(root, { ...OURS, pid });

  expect(await findServer(root)).toBeUndefined();
});

test('a root without server, or without state, has none', async () => {
  expect(await findServer(root)).toBeUndefined();
  expect(await findServer(join(root, 'nowhere'))).toBeUndefined();
});

test.each([
  '',
  '{"pid":',
  '[]',
  '{"pid":-1,"url":"http://a","started_at":"x"}',
  '{"pid":1,"url":"file:///etc/passwd","started_at":"x"}',
])('a broken entry %j is no server', async (content) => {
  await writeFile(serverFile, content);

  expect(await findServer(root)).toBeUndefined();
});

test('a server takes away its own entry and nobody else’s', async () => {
  await publishServer(root, OURS);

  await unpublishServer(root, process.pid + 1);
  expect(await findServer(root)).toEqual(OURS);

  await unpublishServer(root, process.pid);
  await unpublishServer(root, process.pid);
  expect(await findServer(root)).toBeUndefined();
});
