import type { FaultPoint } from '../../../src/core/fault-point.ts';
import { type BuiltServer, startBuiltServer } from '../../support/built-server.ts';
import { request } from './http-request.ts';
import type { KillPlan } from './kill-plan.ts';

export interface LivesReport {
  readonly kills: number;
  /** Kills by the process's own hand. */
  readonly byPoint: ReadonlyMap<FaultPoint, number>;
  readonly whileServing: number;
  readonly whileStarting: number;
  /** Named points that were not reached in time: killed from outside instead. */
  readonly notReached: number;
  /** From the start of the process to the first 200, of every life that got there. */
  readonly startMs: readonly number[];
}

/** One state root and the servers that live on it, one after the other. */
export interface ServerLives {
  /** Where the living server listens; waits for the next one when there is none. */
  url(): Promise<string>;
  /** One life from start to SIGKILL. Throws when it ends in any other way. */
  live(plan: KillPlan): Promise<void>;
  /** A life that nobody ends; `stop` does. */
  start(env?: Readonly<Record<string, string>>): Promise<BuiltServer>;
  report(): LivesReport;
}

export interface ServerLivesOptions {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Longer than a start on a busy machine ever takes. */
const MAX_WAIT_FOR_SERVER_MS = 60_000;

export function createServerLives({ root, env }: ServerLivesOptions): ServerLives {
  const byPoint = new Map<FaultPoint, number>();
  const counts = { serving: 0, starting: 0, notReached: 0 };
  const startMs: number[] = [];
  const address = createAddress();

  async function announce(server: BuiltServer, spawnedAtMs: number): Promise<void> {
    const url = await server.ready;
    if (url === undefined) return;
    address.set(url);
    const answer = await request(`${url}/healthz`).catch(() => undefined);
    if (answer?.status === 200) startMs.push(performance.now() - spawnedAtMs);
  }

  function spawn(extra: Readonly<Record<string, string>>): BuiltServer {
    const server = startBuiltServer({ root, env: { ...env, ...extra } });
    void server.ended.then(() => address.clear());
    return server;
  }

  async function endLife(server: BuiltServer, plan: KillPlan): Promise<void> {
    if (plan.kind === 'starting') {
      await endedWithin(server, plan.afterSpawnMs);
      counts.starting += 1;
      return server.kill();
    }
    await server.ready;
    if (plan.kind === 'serving') {
      await endedWithin(server, plan.afterReadyMs);
      counts.serving += 1;
    } else if (await endedWithin(server, plan.limitMs)) {
      byPoint.set(plan.point, (byPoint.get(plan.point) ?? 0) + 1);
    } else {
      counts.notReached += 1;
    }
    return server.kill();
  }

  return {
    url: address.get,

    async live(plan) {
      const spawnedAtMs = performance.now();
      const server = spawn(plan.kind === 'point' ? { CLAW_FAULT_POINT: encodeSpec(plan) } : {});
      const announced = announce(server, spawnedAtMs);
      await endLife(server, plan);
      await announced;
      const how = await server.ended;
      if (how !== 'signal SIGKILL') {
        throw new Error(`a server ended by itself (${how}):\n${server.output()}`);
      }
    },

    async start(extra = {}) {
      const spawnedAtMs = performance.now();
      const server = spawn(extra);
      await announce(server, spawnedAtMs);
      if (server.hasEnded) throw new Error(`a server did not start:\n${server.output()}`);
      return server;
    },

    report() {
      const { serving: whileServing, starting: whileStarting, notReached } = counts;
      const named = [...byPoint.values()].reduce((sum, count) => sum + count, 0);
      const kills = named + whileServing + whileStarting + notReached;
      return { kills, byPoint, whileServing, whileStarting, notReached, startMs };
    },
  };
}

function encodeSpec({ point, count, stallMs }: Extract<KillPlan, { kind: 'point' }>): string {
  return `${point}:${count}:${stallMs}`;
}

async function endedWithin(server: BuiltServer, ms: number): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<false>((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    cancel = () => clearTimeout(timer);
  });
  try {
    return await Promise.race([server.ended.then(() => true), late]);
  } finally {
    cancel();
  }
}

function createAddress() {
  let url: string | undefined;
  let waiting: ((url: string) => void)[] = [];

  return {
    set(next: string): void {
      url = next;
      for (const resolve of waiting) resolve(next);
      waiting = [];
    },

    clear(): void {
      url = undefined;
    },

    get(): Promise<string> {
      if (url !== undefined) return Promise.resolve(url);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no server for ${MAX_WAIT_FOR_SERVER_MS} ms`)),
          MAX_WAIT_FOR_SERVER_MS,
        );
        waiting.push((next) => {
          clearTimeout(timer);
          resolve(next);
        });
      });
    },
  };
}
