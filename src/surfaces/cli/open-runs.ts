import { submitToSession } from '../../core/chat/submit-to-session.ts';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { RunId } from '../../core/ids.ts';
import type { Run } from '../../core/runs/run.ts';
import { createRunReader, type RunReader, type Runs } from '../../core/runs/runs.ts';
import type { AdminAccess } from './admin-access.ts';
import type { CliContext, ReadOnlyStore, ServerAddress } from './context.ts';
import { naming } from './errors.ts';
import { isHealthy } from './remote/http-client.ts';
import { createRemoteRuns } from './remote/remote-runs.ts';

export type Via = 'server' | 'local';

/** The runs of a state root, from wherever they are best reached. */
export interface OpenRuns<Access extends RunReader = Runs> {
  readonly via: Via;
  readonly runs: Access;
  /** How long one wait for news should last before the run is looked at again. */
  readonly idleMs: number;
  close(): Promise<void>;
}

/** Also for those who answer what their runs ask. */
export interface OpenAsking extends OpenRuns {
  admin(): Promise<AdminAccess>;
  /** A run whose question was answered comes back through the queue; a server takes it from there by itself. */
  takeQueue(): void;
}

/** With a server, and for runs of this process. */
export const IDLE_MS = 60_000;
/** Without a server nobody tells a reader of the database what other processes commit. */
const READER_POLL_MS = 500;

/** Through the running server, else in this process. */
export async function openRuns(context: CliContext): Promise<OpenAsking> {
  const remote = await findRemote(context);
  if (remote) return remote;
  const local = await context.parts.openLocal({
    root: context.root,
    warn: (message) => context.live.note(`${context.live.noteStyle.yellow('warning:')} ${message}`),
  });
  // As `/v1` does: a session takes runs of its own agent only.
  const submit: Runs['submit'] = (request) => submitToSession(local, request);
  const runs = { ...local.runs, submit };
  return {
    via: 'local',
    runs,
    idleMs: IDLE_MS,
    async admin() {
      const { createLocalAdmin } = await import('./local-admin.ts');
      return createLocalAdmin(local.admin);
    },
    takeQueue: () => local.takeQueue(),
    close: () => local.close(),
  };
}

/** Through the running server, else from the database, of which nothing is changed. */
export async function openRunReader(context: CliContext): Promise<OpenRuns<RunReader>> {
  const remote = await findRemote(context);
  if (remote) return remote;
  const store = await context.parts.openStore(context.root);
  const runs = toRunReader(store, context.clock);
  return { via: 'local', runs, idleMs: READER_POLL_MS, close: async () => store?.close() };
}

/** A state root that was never used has no runs, which is no fault. */
export function toRunReader(store: ReadOnlyStore | undefined, clock: Clock): RunReader {
  return store === undefined ? EMPTY_READER : createRunReader({ ...store, clock });
}

/** Says which run was looked for when there is none. */
export function getRun(runs: RunReader, id: RunId): Promise<Run> {
  return naming(
    { thing: 'run', name: id, hint: 'claw runs list shows the runs there are' },
    runs.get(id),
  );
}

async function findRemote(context: CliContext): Promise<OpenAsking | undefined> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server === undefined) return undefined;
  const link = { server, locate, clock: context.clock };
  return {
    via: 'server',
    runs: createRemoteRuns(link),
    idleMs: IDLE_MS,
    async admin() {
      const { createRemoteAdmin } = await import('./remote/remote-admin.ts');
      return createRemoteAdmin(link);
    },
    takeQueue: () => {},
    close: async () => {},
  };
}

export async function findHealthyServer(context: CliContext): Promise<ServerAddress | undefined> {
  const server = await context.parts.findServer(context.root);
  return server !== undefined && (await isHealthy(server.url)) ? server : undefined;
}

const EMPTY_READER: RunReader = {
  async get(id) {
    throw new RuntimeError('not_found', `run ${id} does not exist`, { details: { thing: 'run' } });
  },
  list: async () => ({ runs: [], next: undefined }),
  trace: async () => ({ toolResults: [], truncated: false }),
  floor: async () => 0,
  async *tail() {},
};
