import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { CLEAN_ENV, type ClawRoot, openClawRoot } from './claw.ts';

const run = promisify(execFile);
let root: ClawRoot;

/** An installation of its own, in which nothing has been started. */
beforeEach(async () => {
  root = await openClawRoot();
  await cp(PROGRAM, join(root.path, 'claw.cjs'));
  await symlink(join(dirname(PROGRAM), 'chunks'), join(root.path, 'chunks'));
});

afterEach(() => root.dispose());

async function help(): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [join(root.path, 'claw.cjs'), 'help'], {
    cwd: root.path,
    env: CLEAN_ENV,
  });
  expect(stderr).toBe('');
  return stdout;
}

async function readCode(): Promise<Map<string, Buffer>> {
  const folder = join(root.path, 'code-cache');
  const paths = await readdir(folder, { recursive: true });
  const files = paths.filter((path) => path.endsWith('.cjs')).map((path) => join(folder, path));
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(file)] as const)),
  );
}

test('a command keeps its compiled code beside the program, and the next one leaves it as it is', async () => {
  const said = await help();
  const kept = await readCode();

  expect(await help()).toBe(said);

  expect(kept.size).toBe(1);
  expect(await readCode()).toEqual(kept);
});

test.each([
  ['other bytes', (code: Buffer) => Buffer.alloc(code.length, 7)],
  ['a part of it', (code: Buffer) => code.subarray(0, code.length / 3)],
  ['a hole', (code: Buffer) => Buffer.from(code).fill(0, code.length / 2 - 500, code.length / 2)],
])('with %s in place of compiled code a command does what it always does', async (_, damage) => {
  const said = await help();
  for (const [file, code] of await readCode()) await writeFile(file, damage(code));

  expect(await help()).toBe(said);
});
