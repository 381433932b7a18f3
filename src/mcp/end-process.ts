import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../core/clock.ts';

/** How long a program may take after its input has ended, and again after it was asked to go. */
const GRACE_MS = 2_000;

/** Ends a program and everything it started: by closing its input, then by signals. */
export async function endProcess(child: ChildProcess, clock: Clock): Promise<void> {
  if (hasEnded(child)) return;
  const exited = new AbortController();
  child.once('exit', () => exited.abort());
  child.stdin?.end();
  await clock.sleep(GRACE_MS, exited.signal);
  if (hasEnded(child)) return;
  killGroup(child, 'SIGTERM');
  await clock.sleep(GRACE_MS, exited.signal);
  if (!hasEnded(child)) killGroup(child, 'SIGKILL');
}

/** The program must have been started as the leader of a process group of its own. */
export function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}
