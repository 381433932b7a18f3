import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import type { AgentId, ArtifactId, RunId } from '../../core/ids.ts';
import { createRedactor } from '../../core/redact/create-redactor.ts';
import type { ArtifactStore } from '../../core/tools/artifact-store.ts';
import { createArtifactFiles } from './create-artifact-files.ts';

const artifact = { runId: 'run_1' as RunId, agentId: 'agent_default' as AgentId };
const DIRECTORY = '.openclawssy/agents/agent_default/artifacts/run_1';

let root: TempRoot;
let artifacts: ArtifactStore;

beforeEach(async () => {
  root = await openTempRoot();
  let count = 0;
  const ids = { artifact: () => `art_${++count}` as ArtifactId };
  artifacts = createArtifactFiles({ root: root.path, ids, redactor: createRedactor() });
});

afterEach(() => root.remove());

test('stores redacted text in a file of its own and answers with path, size and hash', async () => {
  const stored = await artifacts.put({ ...artifact, name: 'fs.read', text: 'é password=hunter22' });

  const content = 'é password=[REDACTED]';
  expect(stored).toEqual({
    id: 'art_1',
    path: `${DIRECTORY}/art_1-fs.read.txt`,
    bytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  });
  expect(await readFile(join(root.path, stored.path), 'utf8')).toBe(content);
  expect((await stat(join(root.path, stored.path))).mode & 0o777).toBe(0o600);
});

test.each([
  ['../../etc/passwd', 'art_1-etc-passwd.txt'],
  ['.hidden name\0\n', 'art_1-hidden-name.txt'],
  ['', 'art_1-output.txt'],
  ['…', 'art_1-output.txt'],
  [`${'x'.repeat(300)}`, `art_1-${'x'.repeat(64)}.txt`],
  ['dump sk-ant-api03-abcdefgh12345678', 'art_1-dump-REDACTED.txt'],
])('turns the name %j into the file name %j', async (name, expected) => {
  await artifacts.put({ ...artifact, name, text: 'x' });

  expect(await readdir(join(root.path, DIRECTORY))).toEqual([expected]);
});

test('refuses ids that are no ids before it touches the disk', async () => {
  const put = artifacts.put({ ...artifact, runId: '..' as RunId, name: 'x', text: 'x' });

  await expect(put).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await readdir(root.path)).toEqual([]);
});
