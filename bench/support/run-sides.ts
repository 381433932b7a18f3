import type { Side } from './blocks.ts';
import type { HttpConnection } from './http-connection.ts';
import { loadHttp } from './http-load.ts';
import { percentile } from './statistics.ts';

/** Something that does a run of three steps for each request of a client. */
export interface RunTarget {
  readonly name: string;
  readonly port: number;
  makeRun(connection: HttpConnection): Promise<void>;
  /** After each block: what is left to do then is nobody else's time. */
  awaitQuiet?(): Promise<void>;
}

export interface RunSides {
  readonly target: RunTarget;
  /** Its figure is how many runs of the median length fit into a second. */
  readonly one: Side & { readonly latenciesMs: number[] };
  /** Its figure is runs per second. */
  readonly many: Side & { readonly latenciesMs: number[] };
}

export const CLIENTS = 64;

export function createRunSides(target: RunTarget, blockMs: number): RunSides {
  async function load(connections: number, latenciesMs: number[]): Promise<number> {
    const { port, makeRun } = target;
    const load = { port, connections, durationMs: blockMs, act: makeRun, latenciesMs };
    const rate = await loadHttp(load);
    await target.awaitQuiet?.();
    return rate;
  }

  const one: number[] = [];
  const many: number[] = [];
  return {
    target,
    one: {
      name: target.name,
      latenciesMs: one,
      async measure() {
        const latenciesMs: number[] = [];
        await load(1, latenciesMs);
        one.push(...latenciesMs);
        return 1000 / percentile(latenciesMs, 50);
      },
    },
    many: { name: target.name, latenciesMs: many, measure: () => load(CLIENTS, many) },
  };
}
