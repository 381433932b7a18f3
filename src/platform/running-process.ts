import { readFileSync, readlinkSync } from 'node:fs';
import { errnoOf } from './errno-of.ts';

/** Numbers are used again: this may be another process than the one that was meant. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process: it runs.
    return errnoOf(error) === 'EPERM';
  }
}

/** Behind the command's name, which may hold anything, the start is the twentieth field. */
const START_FIELD = 19;

/**
 * When a process began, in ticks since the machine started: it tells the process from one that got its number later.
 * Undefined where the system does not say, and for one that is gone.
 */
export function findStartTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
  } catch {
    // Not Linux, hidden from us, or gone in this moment.
    return undefined;
  }
}

/** The space that our process numbers are from: each container has its own. Undefined on other systems than Linux. */
export function findProcessSpace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}
