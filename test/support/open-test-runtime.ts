import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/app.ts';
import type { Event } from '../../src/core/events/event.ts';
import { type AgentId, DEFAULT_AGENT_ID, type RunId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { Model } from '../../src/core/loop/model.ts';
import { awaitRun } from '../../src/core/runs/await-run.ts';
import type { Run } from '../../src/core/runs/run.ts';
import { putFreshState } from './fresh-state.ts';
import { openTempRoot } from './temp-root.ts';

export interface TestRuntime extends Runtime {
  readonly root: string;
  /** Submits and waits for the end. */
  ask(message: string): Promise<Run>;
  submit(message: string): Promise<Run>;
  awaitEnd(id: RunId): Promise<Run>;
  events(id: RunId): Promise<Event[]>;
  /** Closes the runtime and removes its directory. */
  dispose(): Promise<void>;
}

/** Longer than any test: a wait that is never met fails by the runner's own limit with a clear stack. */
const WAIT_MS = 15_000;

/** The whole runtime on a temporary state root, with this model in place of the configured one. */
export async function openTestRuntime(
  model: Model,
  options: Omit<RuntimeOptions, 'models'> & { readonly config?: object } = {},
): Promise<TestRuntime> {
  const temp = await openTempRoot();
  const root = options.root ?? temp.path;
  const isEmbedded = options.env?.DATABASE_URL === undefined;
  if (options.root === undefined && isEmbedded) await putFreshState(root);
  if (options.config) await writeConfig(root, options.config);
  const runtime = await createRuntime({
    env: {},
    logger: silentLogger,
    role: 'server',
    // The thread has suites of its own, and every built server that a test starts has one.
    writer: 'inline',
    ...options,
    root,
    models: { get: async () => model, describe: async () => model },
  });
  const submit = async (message: string) => {
    const agentId: AgentId = DEFAULT_AGENT_ID;
    return (await runtime.runs.submit({ agentId, message, source: 'test' })).run;
  };
  const awaitEnd = (id: RunId) => awaitRun(runtime.runs, id, AbortSignal.timeout(WAIT_MS));
  return {
    ...runtime,
    root,
    submit,
    awaitEnd,
    ask: async (message) => awaitEnd((await submit(message)).id),
    events: (id) => runtime.storage.events.read(id, { after: 0, limit: 1_000 }),
    async dispose() {
      await runtime.close({ graceMs: 0 });
      await temp.remove();
    },
  };
}

async function writeConfig(root: string, config: object): Promise<void> {
  const { mkdir, writeFile } = await import('node:fs/promises');
  await mkdir(`${root}/.openclawssy`, { recursive: true, mode: 0o700 });
  await writeFile(`${root}/.openclawssy/config.json`, JSON.stringify(config), { mode: 0o600 });
}
