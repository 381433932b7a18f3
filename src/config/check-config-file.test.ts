import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../test/support/temp-root.ts';
import { checkConfigFile } from './check-config-file.ts';

async function openRoot(config?: string): Promise<{ root: string; file: string }> {
  const temp = await openTempRoot();
  onTestFinished(() => temp.remove());
  const file = join(temp.path, '.openclawssy/config.json');
  if (config !== undefined) {
    await mkdir(join(temp.path, '.openclawssy'));
    await writeFile(file, config);
  }
  return { root: temp.path, file };
}

test.each([
  ['no file', undefined, false],
  ['a valid one', '{"server":{"port":4000}}', true],
])('finds nothing wrong with %s', async (_, config, isThere) => {
  const { root, file } = await openRoot(config);

  const check = await checkConfigFile({ root, env: {} });

  expect(check).toEqual({ file, isThere, problems: [] });
});

test('names every field that is wrong, with its fix', async () => {
  const { root, file } = await openRoot('{"server":{"prt":1},"engine":{"max_turns":-1}}');

  const check = await checkConfigFile({ root, env: {} });

  expect(check).toEqual({
    file,
    isThere: true,
    problems: [
      {
        path: 'server.prt',
        message: 'is not a known field; to fix: did you mean server.port?',
      },
      {
        path: 'engine.max_turns',
        message: expect.stringMatching(/^must be at least 1 .*; to fix: /),
      },
    ],
  });
});

test('says where a file stops being JSON', async () => {
  const { root, file } = await openRoot('{"server":\n}');

  const { problems } = await checkConfigFile({ root, env: {} });

  expect(problems).toEqual([
    { path: '', message: expect.stringContaining(`config file ${file}, line 2, column 1: `) },
  ]);
});

test('counts what the environment says for the state root, and not for another file', async () => {
  const { root, file } = await openRoot('{}');
  const env = { CLAW_PORT: 'many' };

  const own = await checkConfigFile({ root, env });
  const other = await checkConfigFile({ root, env, file });

  expect(own.problems).toEqual([
    {
      path: 'server.port',
      message: expect.stringMatching(/^environment variable CLAW_PORT: server\.port must be /),
    },
  ]);
  expect(other.problems).toEqual([]);
});

test('a named file that is not there is not found', async () => {
  const { root } = await openRoot();
  const file = join(root, 'absent.json');

  const checking = checkConfigFile({ root, env: {}, file });

  await expect(checking).rejects.toMatchObject({
    code: 'not_found',
    message: `file ${file} does not exist`,
    details: { thing: 'file', name: file },
  });
});
