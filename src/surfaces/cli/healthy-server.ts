import type { CliContext, ServerAddress } from './program/context.ts';
import { isHealthy } from './remote/http-client.ts';

/** Which way a command went. */
export type Via = 'server' | 'local';

export async function findHealthyServer(context: CliContext): Promise<ServerAddress | undefined> {
  const server = await context.parts.findServer(context.root);
  return server !== undefined && (await isHealthy(server.url)) ? server : undefined;
}
