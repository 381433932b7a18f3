import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../core/clock.ts';

/** For `spawn`: what the program starts in turn is in its group, and can be ended with it. */
export const GROUP_LEADER = {
  detached: process.platform !== 'win32',
  windowsHide: true,
} as const;

/** The process must have been started as a `GROUP_LEADER`. Answers whether there was a group. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  // To the system minus zero is our own group, and minus one everybody.
  if (pid === undefined || pid <= 1) return false;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
    return true;
  } catch {
    // Nobody is left in the group, or nobody that we may end.
    return false;
  }
}

/** A killed tree is gone at once; only something stuck in the kernel takes longer, and nobody waits for that. */
const MAX_KILL_WAIT_MS = 5_000;

/** Ends a program whose input was closed, by waiting, then by signals to its group. What it leaves its exit kills. */
export async function endGroup(child: ChildProcess, clock: Clock, graceMs: number): Promise<void> {
  const exited = new AbortController();
  const onExit = () => exited.abort();
  child.once('exit', onExit);
  if (hasEnded(child)) exited.abort();
  await clock.sleep(graceMs, exited.signal);
  if (!exited.signal.aborted) {
    signalGroup(child.pid, 'SIGTERM');
    await clock.sleep(graceMs, exited.signal);
  }
  // Not once it has gone: its number may be another's by now.
  if (!exited.signal.aborted) {
    signalGroup(child.pid, 'SIGKILL');
    await clock.sleep(MAX_KILL_WAIT_MS, exited.signal);
  }
  child.off('exit', onExit);
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}
