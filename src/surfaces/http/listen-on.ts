import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import type { HttpConfig } from './http-config.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use; choose another port with --port (0 picks a free one)',
  EACCES: 'needs more rights than this process has; choose a port above 1023 with --port',
  EADDRNOTAVAIL: 'is no address of this machine; choose another with --host',
  ENOTFOUND: 'is no known host name; choose another with --host',
};

/**
 * The framework would listen on every address of the name with a server each, and neither the limit of connections
 * nor the end of the grace would reach the further ones.
 */
const LOCALHOST_ADDRESS = '127.0.0.1';
/** What a server that listens on all addresses is opened by. */
const REACHABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export async function listenOn(
  app: FastifyInstance,
  config: Pick<HttpConfig, 'host' | 'port'>,
): Promise<{ url: string; port: number }> {
  try {
    const host = config.host === 'localhost' ? LOCALHOST_ADDRESS : config.host;
    await app.listen({ host, port: config.port });
  } catch (error) {
    const code = errnoOf(error) ?? '';
    const remedy = REMEDIES[code];
    if (remedy === undefined) throw error;
    throw new RuntimeError('config_invalid', `${config.host}:${config.port} ${remedy}`, {
      cause: error,
    });
  }
  const { port } = app.server.address() as AddressInfo;
  const name = REACHABLE[config.host] ?? config.host;
  return { url: `http://${name.includes(':') ? `[${name}]` : name}:${port}`, port };
}
