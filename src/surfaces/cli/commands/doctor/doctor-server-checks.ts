import { createServer } from 'node:net';
import { RuntimeError } from '../../../../core/errors.ts';
import { isLoopback } from '../../../../core/security/is-loopback.ts';
import { errnoOf } from '../../../../platform/errno-of.ts';
import { findHealthyServer } from '../../healthy-server.ts';
import type { CliContext } from '../../program/context.ts';
import { findHealthFault, isHealthy } from '../../remote/http-client.ts';
import { readRemoteStatus } from '../../remote/remote-status.ts';
import type { Settings } from './diagnosis.ts';
import type { Verdict } from './doctor-checks.ts';

export async function checkServer(context: CliContext): Promise<Verdict> {
  const { parts, root, clock } = context;
  const server = await parts.findServer(root);
  if (server === undefined) {
    return { status: 'ok', summary: 'no server is running here: claw serve starts one' };
  }
  const { url } = server;
  const locate = () => findHealthyServer(context);
  if ((await locate()) === undefined) {
    const fault = await findHealthFault(url);
    if (fault !== undefined) {
      const summary = `the server at ${url} can't serve: ${fault}`;
      return { status: 'fail', summary, fix: 'see to what it says; its log tells more' };
    }
    return {
      status: 'warn',
      summary: `the server at ${url} does not answer`,
      fix: 'look at its log, or restart it',
    };
  }
  try {
    const { version } = await readRemoteStatus({ server, locate, clock });
    if (version === parts.version) return { status: 'ok', summary: `a server answers at ${url}` };
    return {
      status: 'warn',
      summary: `the server at ${url} is version ${version}, this program is ${parts.version}`,
      fix: 'restart the server',
    };
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'unauthenticated') throw error;
    return {
      status: 'fail',
      summary: `the server at ${url} was started with another token than ours`,
      fix: 'set API_BEARER_TOKEN to the token of the server, or restart it',
    };
  }
}

export async function checkPort(context: CliContext, settings: Settings): Promise<Verdict> {
  const { host, port } = settings;
  const server = await context.parts.findServer(context.root);
  if (server !== undefined) return judgeAddress(host, `our server has ${new URL(server.url).host}`);
  if (port === 0) return judgeAddress(host, 'the server takes any free port');
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const problem = await tryListen(host, port);
  if (problem === undefined) return judgeAddress(host, `${address} is free`);
  const isPincer = problem === 'EADDRINUSE' && (await isHealthy(`http://${address}`));
  return {
    status: 'fail',
    summary: isPincer
      ? `${address} belongs to the server of another state root`
      : `${address} can't be listened on (${problem})`,
    fix: LISTEN_FIXES[problem] ?? 'choose another with --port or server.port',
  };
}

const LISTEN_FIXES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'choose another with --port or server.port, or stop the program that has it',
  EADDRNOTAVAIL:
    'choose an address of this machine with --host or server.bind_address, as 127.0.0.1',
  EACCES: 'choose a port from 1024 on with --port or server.port',
};

function judgeAddress(host: string, summary: string): Verdict {
  if (isLoopback(host)) return { status: 'ok', summary };
  return {
    status: 'warn',
    summary: `${summary}; ${host} can be reached from other machines, and nothing is encrypted`,
    fix: 'put a proxy with TLS in front of it, or set server.bind_address to 127.0.0.1',
  };
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(errnoOf(error) ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
