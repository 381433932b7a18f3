import type { Clock } from './clock.ts';

/**
 * Does the same again and again, each time `everyMs` after the last has ended, also after one that failed: what went
 * wrong is for `work` to say. Answers with the way to stop; what is under way then still comes to its end.
 */
export function repeat(
  clock: Pick<Clock, 'after'>,
  everyMs: number,
  work: () => Promise<unknown>,
): () => void {
  let isStopped = false;
  let cancelTimer = () => {};

  function schedule(): void {
    if (isStopped) return;
    cancelTimer = clock.after(everyMs, () => void work().then(schedule, schedule));
  }

  schedule();
  return () => {
    isStopped = true;
    cancelTimer();
  };
}
