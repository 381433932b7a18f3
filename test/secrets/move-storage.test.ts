import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCliParts } from '../../src/cli-parts.ts';
import type { Environment } from '../../src/config/environment.ts';
import { toStatePaths } from '../../src/config/state-root/state-paths.ts';
import { assertServersStorage } from '../../src/config/state-root/storage-mark.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { TEST_ENGINES } from '../support/test-engines.ts';

async function openRootWithRun() {
  const temp = await openTempRoot();
  onTestFinished(() => temp.remove());
  const root = temp.path;
  const model = createScriptedModel({ steps: [{ text: 'done' }] });
  const start = (env: Environment) => openTestRuntime(model, { root, env: { ...env } });
  const first = await start({});
  const run = await first.ask('go');
  await first.dispose();
  return { root, start, runId: run.id };
}

for (const engine of TEST_ENGINES.filter(({ name }) => name.startsWith('PostgreSQL'))) {
  describe.skipIf(!engine.available)(`from SQLite to ${engine.name}`, () => {
    test.each(['from_audit', 'accept_loss'] as const)(
      'a refused start leaves the state root where it was, and recovery moves it (%s)',
      async (way) => {
        const env = await engine.openEnv();
        const { root, start, runId } = await openRootWithRun();
        const recover = () => createCliParts(env).recover({ root, way, warn() {} });

        await expect(recover()).rejects.toMatchObject({ code: 'config_invalid' });
        await expect(start(env)).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining(toStatePaths(root).databaseFile),
          details: { fix: expect.stringMatching(/--from-audit.*--accept-loss/) },
        });
        await assertServersStorage(root, undefined);
        await expect(assertServersStorage(root, env['DATABASE_URL'])).rejects.toMatchObject({
          code: 'config_invalid',
        });

        expect(await recover()).toMatchObject({ failures: [] });
        await assertServersStorage(root, env['DATABASE_URL']);
        const moved = await start(env);
        const found = await moved.storage.runs.find(runId);
        await moved.dispose();

        expect(found?.status).toBe(way === 'from_audit' ? 'completed' : undefined);
        expect(await readFile(toStatePaths(root).storageFile, 'utf8')).not.toContain('refused');
      },
    );
  });
}
