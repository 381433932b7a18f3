import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { findStateRoot } from './find-state-root.ts';

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

test.skipIf(!isRoot)(
  `what another user made here is used only by name${isRoot ? '' : ' (skipped: needs to be root)'}`,
  async () => {
    const project = join(temp.path, 'project');
    await chown(join(project, '.openclawssy'), NOBODY, NOBODY);

    expect(() => at('project')).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: `the state root ${project} belongs to user ${NOBODY}, and this is user 0`,
        details: expect.objectContaining({ hint: expect.stringContaining(`--root ${project}`) }),
      }),
    );
    expect(at('project', '.')).toEqual(['/project', 'flag']);
    expect(at('elsewhere', undefined, { CLAW_ROOT: project })).toEqual(['/project', 'environment']);
  },
);

test.each([
  ['planted', './workspace'],
  ['planted/deep', './workspace'],
  ['', '.'],
])('a state root in the workspace of one above is not used: %j', async (inside, workspace) => {
  const project = join(temp.path, 'project');
  await writeFile(
    join(project, '.openclawssy/config.json'),
    JSON.stringify({ workspace: { root: workspace } }),
  );
  const folder = join('project/workspace', inside);
  const planted = join(temp.path, folder);
  await mkdir(join(planted, '.openclawssy'), { recursive: true });
  // One between that says it works elsewhere hides nothing.
  await mkdir(join(project, 'workspace/.openclawssy'), { recursive: true });
  await writeFile(
    join(project, 'workspace/.openclawssy/config.json'),
    '{"workspace":{"root":"/nowhere"}}',
  );
  const refusal = expect.objectContaining({
    code: 'config_invalid',
    message: expect.stringContaining(
      `the state root ${planted} is inside the workspace of the state root ${project},`,
    ),
  });

  expect(() => at(folder)).toThrow(refusal);
  expect(() => at('elsewhere', planted)).toThrow(refusal);
  expect(() => at('elsewhere', undefined, { CLAW_ROOT: planted })).toThrow(refusal);
  expect(at('project')).toEqual(['/project', 'working_directory']);
});
