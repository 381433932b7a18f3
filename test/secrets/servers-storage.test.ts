import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCliParts } from '../../src/cli-parts.ts';
import type { Environment } from '../../src/config/environment.ts';
import { toStatePaths } from '../../src/config/state-root/state-paths.ts';
import {
  assertServersStorage,
  leaveStorageMark,
} from '../../src/config/state-root/storage-mark.ts';
import type { ProgramParts } from '../../src/surfaces/cli/program/context.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

const SERVERS = 'postgres://ada:pa55word@db.example:6543/pincer';
const OTHER = 'postgres://db.example/other';

let root: TempRoot;

beforeEach(async () => {
  root = await openTempRoot();
  await mkdir(toStatePaths(root.path).stateDir, { recursive: true, mode: 0o700 });
});

afterEach(() => root.remove());

/** What commands may ask of the program: whatever opens storage says `opens`, and a new part has to say which. */
const PARTS = {
  openLocal: (parts) => parts.openLocal({ root: root.path, warn() {} }),
  openStore: (parts) => parts.openStore(root.path),
  openSecrets: (parts) => parts.openSecrets({ root: root.path, warn() {} }),
  openSkills: (parts) => parts.openSkills({ root: root.path, warn() {}, access: 'write' }),
  openProjection: (parts) => parts.openProjection({ root: root.path, warn() {} }),
  openComms: (parts) => parts.openComms({ root: root.path, warn() {} }),
  openVoice: (parts) => parts.openVoice({ root: root.path, warn() {} }),
  recover: (parts) => parts.recover({ root: root.path, warn() {}, way: 'from_audit' }),
  backUp: (parts) =>
    parts.backUp({
      ...{
        root: root.path,
        file: join(tmpdir(), 'never.backup'),
        signal: new AbortController().signal,
      },
      ...{ withWorkspace: false, withSecrets: true, filesOnly: false, overwrite: false },
      onStage() {},
      onProgress() {},
    }),
  restore: 'replaces it',
  serveMcp: (parts) => parts.serveMcp(root.path),
  diagnose: async (parts) => (await parts.diagnose(root.path)).checkStore(),
  serve: 'is the server, which decides',
  version: 'opens none',
  isDumbTerminal: 'opens none',
  findClosestName: 'opens none',
  findExtensions: 'opens none',
  readSchemas: 'opens none',
  readExtensionText: 'opens none',
  findServer: 'opens none',
  openTranscripts: 'opens none',
  openConfig: 'opens none',
  checkConfig: 'opens none',
  prepareRoot: 'opens none',
  hasState: 'opens none',
  previewEdit: 'opens none',
  openBrowser: 'opens none',
  noteAudit: 'opens none',
  openAuditReader: 'opens none: whoever compares its files with the log opens that as well',
  openAuditKey: 'a file of the state root',
  verifyGivenFiles: 'files that are given, and nothing else',
} satisfies Record<keyof ProgramParts, string | ((parts: ProgramParts) => Promise<unknown>)>;

const opening = Object.entries(PARTS).flatMap(([name, open]) =>
  typeof open === 'string' ? [] : [[name, open] as const],
);

const CASES: readonly (readonly [string, string | undefined, Environment])[] = [
  ['PostgreSQL, and DATABASE_URL is not set', SERVERS, {}],
  ['PostgreSQL, and DATABASE_URL names another database', SERVERS, { DATABASE_URL: OTHER }],
  ['its own file, and DATABASE_URL is set', undefined, { DATABASE_URL: OTHER }],
];

describe.each(CASES)('the server is on %s', (_, servers, env) => {
  test.each(opening)(
    '%s refuses, says why and what to do, and creates nothing',
    async (_name, open) => {
      const paths = toStatePaths(root.path);
      await leaveStorageMark(paths, servers);

      const fault = await open(createCliParts(env)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );

      expect(fault).toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('the data of this state root is in '),
        details: { hint: expect.stringContaining('DATABASE_URL') },
      });
      expect(existsSync(paths.databaseFile)).toBe(false);
      expect(existsSync(join(paths.stateDir, 'secrets.enc'))).toBe(false);
    },
  );
});

test('the same database is the same whoever signs in, and no password is left behind', async () => {
  const paths = toStatePaths(root.path);
  await leaveStorageMark(paths, SERVERS);

  await assertServersStorage(root.path, 'postgresql://bob@db.example:6543/pincer?sslmode=require');

  expect(await readFile(paths.storageFile, 'utf8')).not.toContain('pa55word');
});

test.each(['localhost:5432', '127.0.0.1', '[::1]:5432', 'LOCALHOST'])(
  'this machine is this machine, also as %s',
  async (host) => {
    const paths = toStatePaths(root.path);
    await leaveStorageMark(paths, 'postgres://localhost/pincer');
    await assertServersStorage(root.path, `postgres://${host}/pincer`);

    await leaveStorageMark(paths, `postgres://${host}/pincer`);
    await assertServersStorage(root.path, 'postgres://localhost/pincer');
    for (const other of ['localhost:5433/pincer', '127.0.0.2/pincer', 'localhost/other']) {
      const opening = assertServersStorage(root.path, `postgres://${other}`);
      await expect(opening).rejects.toMatchObject({ code: 'config_invalid' });
    }
  },
);

test('a state root of before is known by its file', async () => {
  await assertServersStorage(root.path, SERVERS);
  await writeFile(toStatePaths(root.path).databaseFile, '');

  await expect(assertServersStorage(root.path, SERVERS)).rejects.toMatchObject({
    message: expect.stringContaining('pincer.db'),
  });
});

test('a server that starts on another database moves the state root, and hears where the data was', async () => {
  const paths = toStatePaths(root.path);
  expect(await leaveStorageMark(paths, undefined)).toBeUndefined();

  expect(await leaveStorageMark(paths, SERVERS)).toBe(paths.databaseFile);

  await assertServersStorage(root.path, SERVERS);
});
