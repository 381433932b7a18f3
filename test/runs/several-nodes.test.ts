import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { prepareStateRoot } from '../../src/config/state-root.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { createIds, DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { ClaimRequest } from '../../src/core/runs/run-store.ts';
import { type OpenedStorage, openStorage } from '../../src/open-storage.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { TEST_ENGINES } from '../support/test-engines.ts';

/** Longer than the test takes: nothing here happens because a lease ran out or was renewed. */
const LONG_LEASE_MS = 600_000;

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

async function openNode(env: Readonly<Record<string, string>>, root: string) {
  const { loaded } = await prepareStateRoot({ root, env });
  return openStorage(loaded, 'server', silentLogger);
}

async function openRoot(): Promise<string> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  return root.path;
}

const seal = createSeal({
  ids: createIds(() => Date.now()),
  redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
});

function toClaim({ leaseOwner: owner }: OpenedStorage): ClaimRequest {
  return {
    owner,
    leaseMs: LONG_LEASE_MS,
    started: seal({ type: 'run.started', payload: { owner } }),
    recovered: seal({ type: 'run.recovered', payload: { owner } }),
  };
}

for (const engine of TEST_ENGINES.filter(({ name }) => name.startsWith('PostgreSQL'))) {
  describe.skipIf(!engine.available)(`several nodes on ${engine.name}`, () => {
    test('a cancel on one node ends a run on another long before its lease is renewed', async () => {
      const env = await engine.openEnv();
      const config = { engine: { lease_ms: LONG_LEASE_MS } };
      const model = createScriptedModel({ steps: [{ text: 'half', hang: true }] });
      const working = await openTestRuntime(model, { env, config });
      const other = await openTestRuntime(model, { env, config, takesQueue: false });
      open.push(working, other);
      const { id } = await working.submit('go');
      await expect.poll(async () => (await other.runs.get(id)).status).toBe('running');

      await other.runs.cancel({ runId: id, reason: 'enough', actor: 'user' });

      expect(await working.awaitEnd(id)).toMatchObject({ status: 'cancelled' });
    });

    test('a server that was killed takes up its own runs at once, and leaves those of others alone', async () => {
      const env = await engine.openEnv();
      const [mine, theirs] = [await openRoot(), await openRoot()];
      const killed = await openNode(env, mine);
      const other = await openNode(env, theirs);
      onTestFinished(() => other.close());
      await killed.agents.ensure({
        ...{ id: DEFAULT_AGENT_ID, name: 'A', role: 'r', model: undefined, instructions: '' },
      });
      const ids = createIds(() => Date.now());
      const [first, second] = [ids.run(), ids.run()];
      for (const id of [first, second]) {
        const run = { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'go' };
        await killed.runs.create(run, [seal({ type: 'run.created', payload: {} })], {
          maxQueued: 10,
        });
      }
      await killed.runs.claim({ ...toClaim(killed), only: first });
      await other.runs.claim({ ...toClaim(other), only: second });
      // As a crash leaves it: nobody gives a lease back.
      await killed.close();

      const started = await openNode(env, mine);
      onTestFinished(() => started.close());
      const claims = [
        await started.runs.claim(toClaim(started)),
        await started.runs.claim(toClaim(started)),
      ];

      expect(claims.map((claimed) => claimed?.run.id)).toEqual([first, undefined]);
      expect(started.leaseOwner.split(':')[1]).toBe(killed.leaseOwner.split(':')[1]);
    });
  });
}
