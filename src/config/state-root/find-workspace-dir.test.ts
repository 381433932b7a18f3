import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { loadConfig } from '../load-config.ts';
import { findWorkspaceDir } from './find-workspace-dir.ts';

let temp: TempRoot;

beforeEach(async () => {
  temp = await openTempRoot();
  await mkdir(join(temp.path, '.openclawssy'), { mode: 0o700 });
});

afterEach(() => temp.remove());

function writeConfig(text: string): Promise<void> {
  return writeFile(join(temp.path, '.openclawssy/config.json'), text, { mode: 0o600 });
}

test.each(['{}', '{"workspace":{"root":"./elsewhere"}}', '{"workspace":{"root":"/srv/work"}}'])(
  'says the same as the configuration for %s',
  async (config) => {
    await writeConfig(config);

    const { workspaceDir } = await loadConfig({ root: temp.path, env: {} });
    expect(await findWorkspaceDir(temp.path)).toBe(workspaceDir);
  },
);

test.each([
  '',
  'null',
  '[]',
  '{"workspace":null}',
  '{"workspace":{"root":7}}',
  '{"workspace":{"root":""}}',
])('falls back to the default where %j says nothing', async (config) => {
  await writeConfig(config);

  expect(await findWorkspaceDir(temp.path)).toBe(join(temp.path, 'workspace'));
});

test('needs no configuration at all', async () => {
  expect(await findWorkspaceDir(temp.path)).toBe(join(temp.path, 'workspace'));
});
