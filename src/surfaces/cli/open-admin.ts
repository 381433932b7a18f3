import type { AdminAccess, LedgerReader } from './admin-access.ts';
import type { CliContext } from './context.ts';
import { createLocalAdmin, createLocalLedger } from './local-admin.ts';
import { createWarn } from './open-access.ts';
import { findHealthyServer, type Via } from './open-runs.ts';

/** What operators do, from wherever it is best done. */
export interface OpenAdmin<Access extends LedgerReader = AdminAccess> {
  readonly via: Via;
  readonly admin: Access;
  close(): Promise<void>;
}

export interface AdminOptions {
  /** For those who only look: where there is no state root, none is made. */
  readonly isLooking?: boolean;
}

/** Through the running server, else in this process. */
export async function openAdmin(
  context: CliContext,
  options: AdminOptions = {},
): Promise<OpenAdmin> {
  const remote = await findRemote(context);
  if (remote) return remote;
  const { parts, root } = context;
  const local = await parts.openLocal({ root, warn: createWarn(context), ...options });
  return { via: 'local', admin: createLocalAdmin(local.admin), close: () => local.close() };
}

/** Through the running server, else from the database, of which nothing is changed. */
export async function openLedger(context: CliContext): Promise<OpenAdmin<LedgerReader>> {
  const remote = await findRemote(context);
  if (remote) return remote;
  const store = await context.parts.openStore(context.root);
  return { via: 'local', admin: createLocalLedger(store), close: async () => store?.close() };
}

/** Opens, asks, and closes whatever comes of it. */
export async function withAdmin<Access extends LedgerReader, T>(
  opening: Promise<OpenAdmin<Access>>,
  ask: (admin: Access, via: Via) => Promise<T>,
): Promise<T> {
  const { admin, via, close } = await opening;
  try {
    return await ask(admin, via);
  } finally {
    await close();
  }
}

async function findRemote(context: CliContext): Promise<OpenAdmin | undefined> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server === undefined) return undefined;
  const { createRemoteAdmin } = await import('./remote/remote-admin.ts');
  const admin = createRemoteAdmin({ server, locate, clock: context.clock });
  return { via: 'server', admin, close: async () => {} };
}
