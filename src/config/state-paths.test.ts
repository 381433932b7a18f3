import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../test/support/temp-root.ts';
import { findStateRoot } from './state-paths.ts';

let temp: TempRoot;
const from = process.cwd();

beforeEach(async () => {
  temp = await openTempRoot();
  await mkdir(join(temp.path, 'project/.openclawssy'), { recursive: true });
  await mkdir(join(temp.path, 'project/src/deep'), { recursive: true });
  await mkdir(join(temp.path, 'elsewhere'));
});

afterEach(async () => {
  process.chdir(from);
  await temp.remove();
});

function at(folder: string, flag?: string, env: { readonly CLAW_ROOT?: string } = {}) {
  process.chdir(join(temp.path, folder));
  const { path, from: origin } = findStateRoot(flag, env);
  return [path.slice(temp.path.length), origin];
}

test('the state root is the nearest folder upwards that has one, else the working directory', () => {
  expect(at('project')).toEqual(['/project', 'working_directory']);
  expect(at('project/src/deep')).toEqual(['/project', 'above']);
  expect(at('elsewhere')).toEqual(['/elsewhere', 'working_directory']);
});

test('a flag wins over CLAW_ROOT, and both over what lies above', () => {
  const CLAW_ROOT = join(temp.path, 'elsewhere');

  expect(at('project/src', '.', { CLAW_ROOT })).toEqual(['/project/src', 'flag']);
  expect(at('project/src', undefined, { CLAW_ROOT })).toEqual(['/elsewhere', 'environment']);
});

test('a file of that name is no state root', async () => {
  await writeFile(join(temp.path, 'project/src/.openclawssy'), '');

  expect(at('project/src/deep')).toEqual(['/project', 'above']);
});

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

test.skipIf(!isRoot)(
  `what another user made above is not used${isRoot ? '' : ' (skipped: needs to be root)'}`,
  async () => {
    await chown(join(temp.path, 'project/.openclawssy'), NOBODY, NOBODY);

    expect(at('project/src')).toEqual(['/project/src', 'working_directory']);
  },
);
