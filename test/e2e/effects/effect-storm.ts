import { killBuiltServers } from '../../support/built-server.ts';
import { type ClientMemory, createClientMemory } from '../torture/client-memory.ts';
import { request } from '../torture/http-request.ts';
import { createRandom } from '../torture/random.ts';
import { readRun } from '../torture/run-reader.ts';
import { createServerLives, type LivesReport, type ServerLives } from '../torture/server-lives.ts';
import { submitRun } from '../torture/workload.ts';
import { checkOrders, type OrderReport } from './check-orders.ts';
import { createEffectKills, EFFECT_POINTS } from './effect-kills.ts';
import { prepareOrderRoot } from './order-root.ts';
import { type OrderService, openOrderService } from './order-service.ts';

export interface EffectStormOptions {
  readonly root: string;
  readonly name: string;
  readonly seed: number;
  readonly kills: number;
  /** Whether the service honours keys, and the operator has said so. */
  readonly isKeyed: boolean;
  readonly mode: 'all' | 'off';
}

export interface EffectStormReport extends OrderReport {
  readonly name: string;
  readonly lives: LivesReport;
  readonly requests: number;
  readonly keyed: number;
  /** Of the last server: what operators are shown as unknown. */
  readonly shownUnknown: number;
  readonly seconds: number;
}

/** At once: few enough that each comes to an end between two kills. */
const OPEN_RUNS = 4;
/** However few of them fit between the kills. */
export const MIN_RUNS = 20;
const MAX_EXTRA_KILLS = 3 * EFFECT_POINTS.length;
const SETTLE_TIMEOUT_MS = 30_000;

/** Kills server after server while runs place orders, lets the last one finish, and counts. */
async function runEffectStorm(options: EffectStormOptions): Promise<EffectStormReport> {
  const startedAtMs = performance.now();
  const { root, seed, kills, isKeyed, mode, name } = options;
  const service = await openOrderService({ honoursKeys: isKeyed, random: createRandom(seed) });
  try {
    const env = await prepareOrderRoot(root, { url: service.url, isKeyed, mode });
    const lives = createServerLives({ root, env });
    const memory = createClientMemory();
    const orders = placeOrders({ lives, memory, name });
    await killAll(lives, seed + 1, kills);
    const last = await lives.start();
    await within(SETTLE_TIMEOUT_MS, orders.stop(), () => `runs did not end:\n${last.output()}`);
    const shownUnknown = await countShownUnknown(await lives.url());
    const how = await last.stop();
    if (how !== 'code 0') memory.violations.push(`the last server ended with ${how}`);
    return await report({ options, service, lives, memory, shownUnknown, startedAtMs });
  } finally {
    await service.close();
  }
}

/** Several roots at once: one alone leaves a core idle while it starts. */
export async function runEffectStorms(
  storms: readonly EffectStormOptions[],
): Promise<EffectStormReport[]> {
  try {
    return await Promise.all(storms.map(runEffectStorm));
  } finally {
    await killBuiltServers();
  }
}

async function killAll(lives: ServerLives, seed: number, kills: number): Promise<void> {
  const plans = createEffectKills(createRandom(seed));
  while (lives.report().kills < kills) await lives.live(plans.next());
  // Chance may have left a point out.
  for (let extra = 0; extra < MAX_EXTRA_KILLS; extra += 1) {
    const { byPoint } = lives.report();
    const point = EFFECT_POINTS.find((one) => !byPoint.has(one));
    if (point === undefined) return;
    await lives.live({ kind: 'point', point, count: 1, stallMs: 0, limitMs: 2_000 });
  }
}

interface Orders {
  readonly lives: ServerLives;
  readonly memory: ClientMemory;
  readonly name: string;
}

/** Keeps a few runs open, each with an order of its own, until it is stopped and there are enough. */
function placeOrders({ lives, memory, name }: Orders): { stop(): Promise<void> } {
  let isStopping = false;
  let count = 0;

  async function lane(): Promise<void> {
    while (!isStopping || count < MIN_RUNS) {
      count += 1;
      const run = await submitRun({ lives, memory }, `${name}-${count}`);
      await readRun({ lives, memory, run, leaveAfter: undefined, onEvent: () => {} });
    }
  }

  const lanes = Promise.all(Array.from({ length: OPEN_RUNS }, lane));
  // Whoever stops it hears of a failure; until then it must not end the process.
  lanes.catch(() => {});
  return {
    async stop() {
      isStopping = true;
      await lanes;
    },
  };
}

async function countShownUnknown(url: string): Promise<number> {
  let count = 0;
  let cursor: string | null = '';
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await request(`${url}/api/admin/effects?status=unknown${after}`);
    const page = body as { readonly effects: unknown[]; readonly next_cursor: string | null };
    count += page.effects.length;
    cursor = page.next_cursor;
  }
  return count;
}

interface Ended {
  readonly options: EffectStormOptions;
  readonly service: OrderService;
  readonly lives: ServerLives;
  readonly memory: ClientMemory;
  readonly shownUnknown: number;
  readonly startedAtMs: number;
}

async function report(ended: Ended): Promise<EffectStormReport> {
  const { options, service, lives, memory, shownUnknown } = ended;
  const checked = await checkOrders(options.root, service);
  const violations = [...memory.violations, ...checked.violations];
  if (checked.runs !== memory.runs.length) {
    violations.push(`${memory.runs.length} runs acknowledged, ${checked.runs} in the log`);
  }
  if (shownUnknown !== checked.byStatus.unknown) {
    violations.push(`${checked.byStatus.unknown} effects are unknown, ${shownUnknown} were shown`);
  }
  return {
    ...checked,
    violations,
    name: options.name,
    lives: lives.report(),
    requests: service.requests(),
    keyed: service.keyed(),
    shownUnknown,
    seconds: (performance.now() - ended.startedAtMs) / 1_000,
  };
}

async function within<T>(ms: number, awaited: Promise<T>, otherwise: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise())), ms);
  });
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer));
}

/** A line for people. */
export function describeEffectStorm(storm: EffectStormReport): string {
  const { lives, byStatus } = storm;
  const points = EFFECT_POINTS.map((point) => `${point} ${lives.byPoint.get(point) ?? 0}`);
  return (
    `${storm.name}: ${lives.kills} kills (${points.join(', ')}, ${lives.whileServing} while serving, ` +
    `${lives.notReached} points not reached) in ${storm.seconds.toFixed(1)} s: ${storm.runs} runs, ` +
    `${storm.requests} requests, ${storm.applied} effects; ledger: ${byStatus.confirmed} confirmed, ` +
    `${byStatus.failed} failed, ${byStatus.unknown} unknown`
  );
}
