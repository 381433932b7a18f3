import { copyFile, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { silentLogger } from '../../src/core/log.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import { pingAll } from '../../src/ping-all.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openSecretFile } from '../../src/storage/files/secrets/test-secret-file.ts';
import { createTestDatabase } from '../conformance/open-postgres.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { findPostgres } from '../support/postgres.ts';
import { openTempRoot } from '../support/temp-root.ts';

const engine = await findPostgres();
const SECRET = 'Xk9/known-to+one=node';
const SPELLED = encodeURIComponent(SECRET);
const nodes: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.dispose()));
});

const leak = defineTool({
  name: 'test.leak',
  description: 'says what it knows',
  effect: 'read',
  input: z.object({}),
  execute: async () => ({ content: `found ${SECRET} and ${SPELLED}` }),
});

async function newRoot(): Promise<string> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  return root.path;
}

async function openNode(url: string, root: string): Promise<TestRuntime> {
  const model = createScriptedModel({
    steps: [{ toolCalls: [{ tool: leak.name, input: {}, callId: 'c' }] }, { text: 'done' }],
  });
  const node = await openTestRuntime(model, {
    root,
    env: { DATABASE_URL: url },
    tools: [leak],
    // Each node executes what it is given itself.
    takesQueue: false,
    config: { tools: { granted: [leak.name] } },
  });
  nodes.push(node);
  return node;
}

const keyOf = (root: string) => join(root, '.openclawssy', 'master.key');

async function copyKey(from: string, to: string): Promise<void> {
  await mkdir(join(to, '.openclawssy'), { recursive: true, mode: 0o700 });
  await copyFile(keyOf(from), keyOf(to));
}

/** As a node has them that shares no database. */
async function storeInFile(root: string): Promise<string> {
  const file = join(root, '.openclawssy', 'secrets.enc');
  const own = await openSecretFile({
    file,
    masterKeyFile: keyOf(root),
    tryLock: () => ({ close() {} }),
    clock: new ManualClock(),
    logger: silentLogger,
  });
  await own.put('other/node', SECRET);
  return file;
}

describe.skipIf(!engine.available)('nodes on one PostgreSQL', { timeout: 60_000 }, () => {
  test('a secret that one stored is struck by the other from the next run on', async () => {
    const url = await createTestDatabase('migrated');
    const [rootA, rootB] = [await newRoot(), await newRoot()];
    const a = await openNode(url, rootA);
    await a.secrets.put('first/one', 'makes the master key');
    await copyKey(rootA, rootB);
    const b = await openNode(url, rootB);

    await a.secrets.put('other/node', SECRET);
    const run = await b.ask('look around');

    expect(run.status).toBe('completed');
    const log = JSON.stringify(await b.events(run.id));
    expect(log).not.toContain(SECRET);
    expect(log).not.toContain(SPELLED);
    expect(log).toContain('found [REDACTED] and [REDACTED]');
    expect(await b.secrets.find('other/node')).toBe(SECRET);
  });

  test('both may store at the same moment, and nothing is lost', async () => {
    const url = await createTestDatabase('migrated');
    const [rootA, rootB] = [await newRoot(), await newRoot()];
    const a = await openNode(url, rootA);
    await a.secrets.put('first/one', 'makes the master key');
    await copyKey(rootA, rootB);
    const b = await openNode(url, rootB);

    const names = Array.from({ length: 6 }, (_, index) => `many/${index}`);
    await Promise.all(
      names.map((name, index) => (index % 2 === 0 ? a : b).secrets.put(name, `value of ${name}`)),
    );

    expect((await b.secrets.list()).map(({ name }) => name)).toEqual(['first/one', ...names]);
  });

  test('a node without the key is not started, and one that loses it does no work until it has it', async () => {
    const url = await createTestDatabase('migrated');
    const [rootA, rootB, rootC] = [await newRoot(), await newRoot(), await newRoot()];
    const a = await openNode(url, rootA);
    const b = await openNode(url, rootB);
    await pingAll(b);
    await a.secrets.put('other/node', SECRET);

    await expect(openNode(url, rootC)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('the shared database holds secrets, but their master key'),
    });
    const unable = {
      code: 'storage_unavailable',
      message: expect.stringContaining("this node can't open the secrets in the shared database"),
    };
    await expect(pingAll(b)).rejects.toMatchObject(unable);
    const stuck = await b.submit('look around');
    await expect.poll(() => b.runner.activeCount, { timeout: 30_000 }).toBe(0);
    expect(['queued', 'running']).toContain((await b.storage.runs.find(stuck.id))?.status);
    expect(JSON.stringify(await b.events(stuck.id))).not.toContain('tool.call');

    await copyKey(rootA, rootB);
    await pingAll(b);
    const run = await b.ask('look around');
    expect(JSON.stringify(await b.events(run.id))).not.toContain(SECRET);
  });

  test('a rotation needs the new key on every node, which may lie there in advance', async () => {
    const url = await createTestDatabase('migrated');
    const [rootA, rootB] = [await newRoot(), await newRoot()];
    const a = await openNode(url, rootA);
    await a.secrets.put('other/node', SECRET);
    await copyKey(rootA, rootB);
    const b = await openNode(url, rootB);
    const newKey = Buffer.alloc(32, 7).toString('base64');

    await writeFile(`${keyOf(rootB)}.next`, `${newKey}\n`, { mode: 0o600 });
    await a.secrets.rotate({ newKey });

    await pingAll(b);
    expect(await b.secrets.find('other/node')).toBe(SECRET);
    expect((await readFile(keyOf(rootA), 'utf8')).trim()).toBe(newKey);
    await b.secrets.put('after/that', 'one more value');
    expect((await readFile(keyOf(rootB), 'utf8')).trim()).toBe(newKey);
    expect(await a.secrets.find('after/that')).toBe('one more value');
  });

  test('a node brings the secrets of its file along, once', async () => {
    const url = await createTestDatabase('migrated');
    const root = await newRoot();
    const file = await storeInFile(root);

    const node = await openNode(url, root);

    expect(await node.secrets.find('other/node')).toBe(SECRET);
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readFile(`${file}.taken-over`, 'utf8')).not.toContain(SECRET);
  });

  test.each([
    ['is damaged', (file: string) => truncate(file, 40), 'storage_unavailable'],
    ['lacks its key', (file: string) => rm(keyOf(dirname(dirname(file)))), 'config_invalid'],
  ])(
    'a file that %s stays where it is, and the other nodes do not get it',
    async (_, spoil, code) => {
      const url = await createTestDatabase('migrated');
      const root = await newRoot();
      const file = await storeInFile(root);
      await spoil(file);
      const before = await readFile(file, 'utf8');

      await expect(openNode(url, root)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(file),
      });

      expect(await readFile(file, 'utf8')).toBe(before);
      await pingAll(await openNode(url, await newRoot()));
    },
  );
});
