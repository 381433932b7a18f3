import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import type { HttpConfig } from './http-config.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use; choose another port with --port (0 picks a free one)',
  EACCES: 'needs more rights than this process has; choose a port above 1023 with --port',
  EADDRNOTAVAIL: 'is no address of this machine; choose another with --host',
  ENOTFOUND: 'is no known host name; choose another with --host',
};

export async function listenOn(
  app: FastifyInstance,
  config: Pick<HttpConfig, 'host' | 'port'>,
): Promise<{ url: string; port: number }> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const remedy = REMEDIES[code];
    if (remedy === undefined) throw error;
    throw new RuntimeError('config_invalid', `${config.host}:${config.port} ${remedy}`, {
      cause: error,
    });
  }
  const { port } = app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return { url: `http://${host}:${port}`, port };
}
