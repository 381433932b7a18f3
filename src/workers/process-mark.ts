import { readFileSync } from 'node:fs';
import { signalGroup } from '../platform/process-group.ts';
import { findProcessSpace, findStartTicks } from '../platform/running-process.ts';

/**
 * Tells a process from any other that gets its number later, in this boot or another, in this container or the next.
 * Only Linux says enough for that.
 */
export function findProcessMark(pid: number | undefined): string | undefined {
  if (pid === undefined) return undefined;
  const boot = findBoot();
  const space = findProcessSpace();
  const startTicks = findStartTicks(pid);
  if (boot === undefined || space === undefined || startTicks === undefined) return undefined;
  return `${boot} ${space} ${pid} ${startTicks}`;
}

/** Kills the group of the process that a mark was made of, if it is still there. */
export function killMarked(mark: string): boolean {
  const pid = Number(mark.split(' ')[2]);
  if (!Number.isSafeInteger(pid) || pid <= 1 || findProcessMark(pid) !== mark) return false;
  return signalGroup(pid, 'SIGKILL');
}

function findBoot(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}
