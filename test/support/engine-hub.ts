import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type EngineName = 'postgres' | 'redis' | 'browser';

export type Engine =
  | { readonly available: true; readonly url: string }
  | { readonly available: false; readonly reason: string };

type StartEngine = () => Promise<{ readonly url: string; stop(): Promise<void> }>;

export interface EngineHub {
  readonly url: string;
  close(): Promise<void>;
}

/** Runs beside the test runner: each engine is started once per run, when a test first asks. */
export async function openEngineHub(engines: Record<EngineName, StartEngine>): Promise<EngineHub> {
  const started = new Map<string, Promise<Engine>>();
  const stops: (() => Promise<void>)[] = [];

  const start = async (name: EngineName): Promise<Engine> => {
    try {
      const engine = await engines[name]();
      stops.push(() => engine.stop());
      return { available: true, url: engine.url };
    } catch (error) {
      return { available: false, reason: error instanceof Error ? error.message : String(error) };
    }
  };
  const server = createServer((incoming, reply) => {
    const name = (incoming.url ?? '').slice(1) as EngineName;
    const engine = started.get(name) ?? start(name);
    started.set(name, engine);
    void engine.then((answer) => reply.end(JSON.stringify(answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await Promise.all(started.values());
      await Promise.all(stops.map((stop) => stop()));
      server.close();
      server.closeAllConnections();
    },
  };
}
