import type { ChildProcess } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import type { Clock } from '../core/clock.ts';

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

export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** The process must have been started as the leader of a group of its own. Answers whether there was a group. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
    return true;
  } catch {
    // Nobody is left in the group.
    return false;
  }
}

/**
 * Tells a process from any other that gets its number later, in this boot or another, in this container or the next.
 * Only Linux says enough for that.
 */
export function findProcessMark(pid: number | undefined): string | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; the start time is the twentieth field after it.
    const startedTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot} ${namespace} ${pid} ${startedTicks}`;
  } catch {
    return undefined;
  }
}

/** Kills the group of the process that a mark was made of, if it is still there. */
export function killMarked(mark: string): boolean {
  const pid = Number(mark.split(' ')[2]);
  if (!Number.isSafeInteger(pid) || pid <= 1 || findProcessMark(pid) !== mark) return false;
  return signalGroup(pid, 'SIGKILL');
}
