import { FAULT_POINTS, type FaultPoint } from '../../../src/core/fault-point.ts';
import { killBuiltServers } from '../../support/built-server.ts';
import { checkRoot, type RootReport } from './check-root.ts';
import { type ClientMemory, createClientMemory } from './client-memory.ts';
import { createKillPlans, type KillPlan, LEASE_MS } from './kill-plan.ts';
import { createRandom } from './random.ts';
import { createServerLives, type LivesReport, type ServerLives } from './server-lives.ts';
import { startTicking, stopTicking } from './tick-job.ts';
import { startWorkload } from './workload.ts';
import { prepareRoot } from './workload-script.ts';

export interface KillStormOptions {
  readonly root: string;
  readonly seed: number;
  readonly kills: number;
  readonly name: string;
}

export interface KillStormReport extends RootReport {
  readonly lives: LivesReport;
  readonly retries: number;
  readonly seconds: number;
}

/** Runs open at once: more than places for them, so that some are always waiting for one. */
const OPEN_RUNS = 10;
const PLACES = 6;
const MAX_EXTRA_KILLS = 2 * FAULT_POINTS.length;
const SETTLE_TIMEOUT_MS = 60_000;

/** Kills server after server under one state root while clients work, lets the last one finish, and checks. */
async function runKillStorm(
  options: KillStormOptions,
  reached: Set<FaultPoint>,
): Promise<KillStormReport> {
  const startedAtMs = performance.now();
  const { root, seed, kills, name } = options;
  const random = createRandom(seed);
  const { env } = await prepareRoot(root, { lease_ms: LEASE_MS, max_concurrent_runs: PLACES });
  const lives = createServerLives({ root, env });
  const memory = createClientMemory();
  await prepareTicks(lives);
  const plans = createKillPlans(random);
  const clients = startWorkload({ lives, memory, random: createRandom(seed + 1), name }, OPEN_RUNS);
  const live = async (plan: KillPlan) => {
    await lives.live(plan);
    for (const point of lives.report().byPoint.keys()) reached.add(point);
  };
  while (lives.report().kills < kills) await live(plans.next());
  // Chance may have left a point out.
  let misses = 0;
  for (let extra = 0; extra < MAX_EXTRA_KILLS; extra += 1) {
    const [point] = random.shuffle(FAULT_POINTS.filter((one) => !reached.has(one)));
    if (point === undefined) break;
    await live(plans.at(point, misses));
    misses = reached.has(point) ? 0 : misses + 1;
  }
  const last = await lives.start();
  await within(SETTLE_TIMEOUT_MS, clients.stop(), () => describeUnfinished(memory, last.output()));
  await stopTicking(await lives.url());
  const how = await last.stop();
  if (how !== 'code 0') memory.violations.push(`the last server ended with ${how}`);
  const report = await checkRoot(root, memory);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { ...report, lives: lives.report(), retries: memory.retries, seconds };
}

/** In a life of its own, which ends well: what was asked for is there before the first kill. */
async function prepareTicks(lives: ServerLives): Promise<void> {
  const server = await lives.start();
  await startTicking(await lives.url());
  await server.stop();
}

/**
 * Several roots at once, each with its share of the kills: one alone leaves a core idle while it starts. A named point
 * that one of them was killed at is none that the others look for.
 */
export async function runKillStorms(
  storms: readonly KillStormOptions[],
): Promise<KillStormReport[]> {
  try {
    const reached = new Set<FaultPoint>();
    return await Promise.all(storms.map((storm) => runKillStorm(storm, reached)));
  } finally {
    await killBuiltServers();
  }
}

function describeUnfinished(memory: ClientMemory, output: string): string {
  const open = memory.runs.filter((run) => run.readers.some((reader) => !reader.isDone));
  const some = open.slice(0, 5).map(({ id, readers }) => `${id} at ${readers[0]?.events.length}`);
  return `${open.length} runs did not end in time: ${some.join(', ')}\n${output}`;
}

async function within<T>(ms: number, awaited: Promise<T>, otherwise: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise())), ms);
  });
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer));
}

/** A few lines for people. */
export function describeStorms(seed: number, reports: readonly KillStormReport[]): string {
  const sum = (of: (report: KillStormReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const startMs = reports.flatMap(({ lives }) => lives.startMs).sort((a, b) => a - b);
  const middle = startMs[Math.floor(startMs.length / 2)] ?? 0;
  const points = FAULT_POINTS.map(
    (point) => `${point} ${sum(({ lives }) => lives.byPoint.get(point) ?? 0)}`,
  );
  return [
    `seed ${seed}: ${sum(({ lives }) => lives.kills)} kills in ${Math.max(...reports.map(({ seconds }) => seconds)).toFixed(1)} s: ` +
      `${sum(({ lives }) => lives.whileServing)} while serving, ${sum(({ lives }) => lives.whileStarting)} while starting, ` +
      `${sum(({ lives }) => lives.notReached)} named points not reached in time`,
    `at named points: ${points.join(', ')}`,
    `${sum(({ runs }) => runs)} runs, ${sum(({ events }) => events)} events, ${sum(({ recoveries }) => recoveries)} recoveries: ` +
      `${sum(({ completed }) => completed)} completed, ${sum(({ cancelled }) => cancelled)} cancelled, ` +
      `${sum(({ givenUp }) => givenUp)} given up, ${sum(({ unknownEdits }) => unknownEdits)} edits with unknown outcome, ` +
      `${sum(({ retries }) => retries)} requests sent again`,
    `a job due every second: ${sum(({ ticks }) => ticks.fired)} slots fired, ${sum(({ ticks }) => ticks.missed)} missed`,
    `start to first 200: median ${middle.toFixed(0)} ms, longest ${(startMs.at(-1) ?? 0).toFixed(0)} ms`,
  ].join('\n');
}
