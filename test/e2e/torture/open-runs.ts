import { checkRoot, type RootReport } from './check-root.ts';
import { createClientMemory } from './client-memory.ts';
import { readRun } from './run-reader.ts';
import { createServerLives } from './server-lives.ts';
import { submitRun } from './workload.ts';
import { prepareRoot } from './workload-script.ts';

export interface OpenRunsReport extends RootReport {
  /** From the restart of the process to its first 200. */
  readonly startMs: number;
  /** From the restart to the last run's end; every run had three turns left. */
  readonly endedMs: number;
}

/** From here on at the latest a run waits, in its second turn: created, started, requested, delta, completed, call, … */
const EVENTS_BEFORE_KILL = 8;

/** Kills a server that has many runs half done, starts it again and waits for all of them. */
export async function resumeOpenRuns(root: string, count: number): Promise<OpenRunsReport> {
  const { env, slowEnv } = await prepareRoot(root, { max_concurrent_runs: count });
  const lives = createServerLives({ root, env });
  const memory = createClientMemory();
  const first = await lives.start(slowEnv);
  const names = Array.from({ length: count }, (_, index) => `o-${index + 1}`);
  const runs = await Promise.all(names.map((name) => submitRun({ lives, memory }, name)));
  const halfDone = new Set<string>();
  let onHalfDone = () => {};
  const allHalfDone = new Promise<void>((resolve) => {
    onHalfDone = resolve;
  });
  const readers = runs.map((run) =>
    readRun({
      lives,
      memory,
      run,
      leaveAfter: undefined,
      onEvent(seq) {
        if (seq >= EVENTS_BEFORE_KILL) halfDone.add(run.id);
        if (halfDone.size === count) onHalfDone();
      },
    }),
  );
  await allHalfDone;
  await first.kill();
  const restartedAtMs = performance.now();
  const second = await lives.start();
  const startMs = performance.now() - restartedAtMs;
  await Promise.all(readers);
  const endedMs = performance.now() - restartedAtMs;
  const how = await second.stop();
  if (how !== 'code 0') memory.violations.push(`the second server ended with ${how}`);
  return { ...(await checkRoot(root, memory)), startMs, endedMs };
}

export function describeOpenRuns(report: OpenRunsReport): string {
  return (
    `${report.runs} open runs, killed and restarted: first 200 after ${report.startMs.toFixed(0)} ms, ` +
    `all ${report.recoveries} resumed and ended after ${report.endedMs.toFixed(0)} ms`
  );
}
