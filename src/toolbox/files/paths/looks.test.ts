import { constants, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFindLooks, type Looks, POOLED_LOOKS } from './looks.ts';

const root = mkdtempSync(join(tmpdir(), 'pincer-looks-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function describe(looks: Looks) {
  const descriptor = await looks.open(root, constants.O_RDONLY | constants.O_DIRECTORY);
  const entries = await looks.openEntries(root);
  const names: string[] = [];
  for (let entry = await looks.nextEntry(entries); entry; entry = await looks.nextEntry(entries)) {
    names.push(entry.name);
  }
  await looks.closeEntries(entries);
  const { ino } = await looks.fstat(descriptor);
  await looks.close(descriptor);
  return {
    names: names.sort(),
    isSame: ino === (await looks.lstat(root)).ino,
    isLink: (await looks.lstat(join(root, 'link'))).isSymbolicLink(),
    target: await looks.readlink(join(root, 'link')),
    real: await looks.realpath(join(root, 'link')),
    missing: await (async () => looks.lstat(join(root, 'nothing')))().catch(({ code }) => code),
  };
}

test('a disk of this machine is looked at on the spot, with the answers of the pool', async () => {
  writeFileSync(join(root, 'file'), 'text');
  symlinkSync('file', join(root, 'link'));
  const findLooks = createFindLooks();

  const looks = await findLooks(root);

  if (process.platform === 'linux') expect(looks).not.toBe(POOLED_LOOKS);
  const found = await describe(looks);
  expect(found).toEqual(await describe(POOLED_LOOKS));
  expect(found).toMatchObject({ names: ['file', 'link'], isSame: true, missing: 'ENOENT' });
});

test('what may be slow, or is not there, is looked at by the pool', async () => {
  const findLooks = createFindLooks();

  expect(await findLooks('/proc')).toBe(POOLED_LOOKS);
  expect(await findLooks(join(root, 'nothing'))).toBe(POOLED_LOOKS);
});

test('a workspace is asked for its disk once a minute', async () => {
  let nowMs = 0;
  const findLooks = createFindLooks(() => nowMs);
  const first = await findLooks(root);

  nowMs = 59_999;
  // Elsewhere nobody can tell, and it is asked for every time.
  if (process.platform === 'linux') expect(findLooks(root)).toBe(first);
  nowMs = 60_000;

  expect(findLooks(root)).toBeInstanceOf(Promise);
});
