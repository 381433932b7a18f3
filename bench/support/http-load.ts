import { type HttpConnection, openConnection } from './http-connection.ts';

export interface HttpLoad {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** What one client does again and again; throws when an answer is not what it should be. */
  readonly act: (connection: HttpConnection) => Promise<void>;
  /** Milliseconds per act are added here. */
  readonly latenciesMs: number[];
}

/** A server that has not answered by then hangs. */
const MAX_ANSWER_MS = 30_000;

/** Clients that each wait for their answer before they ask again. Answers acts per second. */
export async function loadHttp(load: HttpLoad): Promise<number> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openConnection(load.port)),
  );
  const giveUp = () => {
    for (const connection of connections) connection.close();
  };
  const limit = setTimeout(giveUp, load.durationMs + MAX_ANSWER_MS);
  try {
    const startedAt = performance.now();
    const endsAt = startedAt + load.durationMs;
    let acts = 0;
    await Promise.all(
      connections.map(async (connection) => {
        for (let now = performance.now(); now < endsAt; ) {
          await load.act(connection);
          const ended = performance.now();
          load.latenciesMs.push(ended - now);
          acts += 1;
          now = ended;
        }
      }),
    );
    return acts / ((performance.now() - startedAt) / 1000);
  } finally {
    clearTimeout(limit);
    giveUp();
  }
}
