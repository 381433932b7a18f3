import type { CliContext } from './context.ts';
import type { McpAccess } from './mcp-access.ts';
import { createWarn } from './open-access.ts';
import { findHealthyServer, type Via } from './open-runs.ts';

/** External tool servers through the running server, else connected from this process, which is closed again. */
export async function withMcp<T>(
  context: CliContext,
  ask: (mcp: McpAccess, via: Via) => Promise<T>,
): Promise<T> {
  const remote = await findRemoteMcp(context);
  if (remote) return ask(remote, 'server');
  const { parts, root } = context;
  // Servers are named in a configuration: where none is, there is nothing to list or approve.
  const local = await parts.openLocal({ root, warn: createWarn(context), isLooking: true });
  try {
    return await ask(local.mcp, 'local');
  } finally {
    await local.close();
  }
}

export async function findRemoteMcp(context: CliContext): Promise<McpAccess | undefined> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server === undefined) return undefined;
  const { createRemoteMcp } = await import('./remote/remote-mcp.ts');
  return createRemoteMcp({ server, locate, clock: context.clock });
}
