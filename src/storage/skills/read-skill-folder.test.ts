import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { readSkillFolder } from './read-skill-folder.ts';

let root: TempRoot;

beforeEach(async () => {
  root = await openTempRoot();
  await mkdir(join(root.path, 'scripts'));
  await writeFile(join(root.path, 'SKILL.md'), 'Do it.');
});

afterEach(() => root.remove());

test('reads what belongs to the format, bytes as base64, and names the rest', async () => {
  await writeFile(join(root.path, 'scripts/run.sh'), 'echo hi\n');
  await writeFile(join(root.path, 'scripts/data.bin'), Uint8Array.of(0, 255, 1));
  await writeFile(join(root.path, 'README.md'), 'for people');
  await writeFile(join(root.path, '.hidden'), '');

  expect(await readSkillFolder(root.path)).toEqual({
    files: [
      { path: 'SKILL.md', content: 'Do it.' },
      { path: 'scripts/data.bin', content: 'AP8B', encoding: 'base64' },
      { path: 'scripts/run.sh', content: 'echo hi\n' },
    ],
    leftOut: ['README.md'],
    exported: undefined,
  });
});

test('follows no link', async () => {
  await symlink('/etc/hostname', join(root.path, 'scripts/host'));

  await expect(readSkillFolder(root.path)).rejects.toMatchObject({
    code: 'unprocessable',
    message: 'scripts/host is neither a file nor a folder',
  });
});

test('refuses a file that is too large, and one that says nothing of a release', async () => {
  await writeFile(join(root.path, 'skill-release.json'), '[]');
  await expect(readSkillFolder(root.path)).rejects.toThrow(
    'skill-release.json is not a JSON object',
  );

  await writeFile(join(root.path, 'scripts/big'), 'x'.repeat(832 * 1024 + 1));
  await expect(readSkillFolder(root.path)).rejects.toThrow(
    'scripts/big is larger than 851968 bytes',
  );
});

test('refuses files that are too large together', async () => {
  for (const name of ['a', 'b']) {
    await writeFile(join(root.path, `scripts/${name}`), 'x'.repeat(500 * 1024));
  }

  await expect(readSkillFolder(root.path)).rejects.toThrow('. holds more than 851968 bytes');
});
