import { type Closing, type ClosingList, createClosingList } from './closing-list.ts';
import type { Logger } from './core/log.ts';
import type { Runner } from './core/runs/runner.ts';
import type { Scheduler } from './core/schedule/scheduler.ts';
import type { Role } from './open-storage.ts';

export interface WorkGround {
  readonly role: Role;
  readonly logger: Logger;
  readonly closing: Closing;
  readonly runner: Runner;
  /** Resolves when external tool servers have been tried. */
  whenComplete(signal: AbortSignal): Promise<void>;
  startScheduler(): Scheduler;
  /** Workers and housekeeping. */
  startOthers(closing: Closing): Promise<void>;
}

/** What goes on by itself. */
export interface Work {
  /** Whether what waits in the queue is taken up; external tool servers are waited for before. */
  isStarted(): boolean;
  /** Takes up nothing more, and lets what is under way end. A second call waits for the first. */
  drain(graceMs: number): Promise<void>;
  /** Looks at jobs at once, where there is a scheduler. */
  wakeScheduler(): void;
}

export async function startWork(ground: WorkGround): Promise<Work> {
  const { role, logger, closing } = ground;
  const work: ClosingList = createClosingList();
  closing.add((graceMs) => work.close(graceMs));
  // Each may take its grace, and all of them together no longer than one.
  const busy = work.addGroup();
  let isStarted = false;
  const runnerStarted = startRunner(ground, busy).then(() => {
    isStarted = true;
  });
  // Whoever only executes its own runs would hold up the others it fired.
  const scheduler = role === 'server' ? ground.startScheduler() : undefined;
  busy.add(async () => scheduler?.stop());
  await ground.startOthers(busy);
  if (role === 'local') await runnerStarted;
  else
    void runnerStarted.catch((err: unknown) => logger.error({ err }, 'the runner did not start'));
  return {
    isStarted: () => isStarted,
    drain: (graceMs) => work.close(graceMs),
    wakeScheduler: () => scheduler?.wake(),
  };
}

/** A run taken up again may need a tool of a server that is still connecting; requests need not wait for that. */
async function startRunner(
  { runner, whenComplete }: Pick<WorkGround, 'runner' | 'whenComplete'>,
  closing: Closing,
): Promise<void> {
  const ending = new AbortController();
  const isStarted = whenComplete(ending.signal).then(() => {
    if (!ending.signal.aborted) runner.start();
  });
  closing.add(async (graceMs) => {
    ending.abort();
    // Whatever kept it from starting was said where it was waited for.
    await isStarted.catch(() => {});
    await runner.stop(graceMs);
  });
  await isStarted;
}
