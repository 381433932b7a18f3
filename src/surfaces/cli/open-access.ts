import type { CliContext, LocalRuntime, ReadOnlyStore } from './context.ts';
import { findHealthyServer, type Via } from './open-runs.ts';
import type { ServerLinkOptions } from './remote/server-link.ts';

/** Two ways to one part of the runtime: a command can't tell which of them it went. */
export interface Ways<Access> {
  /** Through the running server. */
  remote(options: ServerLinkOptions): Promise<Access>;
  /** Without one. */
  local(context: CliContext): Promise<LocalAccess<Access>>;
}

export interface LocalAccess<Access> {
  readonly access: Access;
  close(): Promise<void>;
}

/** Opens, asks, and closes whatever comes of it. */
export async function withAccess<Access, T>(
  context: CliContext,
  ways: Ways<Access>,
  ask: (access: Access, via: Via) => Promise<T>,
): Promise<T> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server !== undefined) {
    return ask(await ways.remote({ server, locate, clock: context.clock }), 'server');
  }
  const { access, close } = await ways.local(context);
  try {
    return await ask(access, 'local');
  } finally {
    await close();
  }
}

/** From the database, of which nothing is changed. The store is undefined when nothing was ever stored. */
export async function readStore<Access>(
  { parts, root }: CliContext,
  create: (store: ReadOnlyStore | undefined) => Access,
): Promise<LocalAccess<Access>> {
  const store = await parts.openStore(root);
  return { access: create(store), close: async () => store?.close() };
}

/** In this process, which creates the state root when there is none. */
export async function useRuntime<Access>(
  context: CliContext,
  create: (runtime: LocalRuntime) => Access,
): Promise<LocalAccess<Access>> {
  const { parts, root } = context;
  const runtime = await parts.openLocal({ root, warn: createWarn(context) });
  return { access: create(runtime), close: () => runtime.close() };
}

export function createWarn({ live }: CliContext): (message: string) => void {
  return (message) => live.note(`${live.noteStyle.yellow('warning:')} ${message}`);
}
