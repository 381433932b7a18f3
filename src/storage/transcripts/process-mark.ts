import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { fingerprintWorkspace } from '../../core/transcripts/fingerprint-workspace.ts';

/** Names a process so that another one can tell whether it still lives: `<host>.<pid>.<start>`. */
export interface ProcessMark {
  /** Of the machine and of the space its process numbers are from: containers may share a name, and a folder. */
  readonly host: string;
  readonly pid: number;
  /** In ticks since the machine started, so that a process that got the number of a dead one is not taken for it. */
  readonly start: string;
}

const UNKNOWN_START = '0';

let own: ProcessMark | undefined;

export function getOwnMark(): ProcessMark {
  own ??= {
    host: fingerprintWorkspace(`${hostname()} ${findNumberSpace()}`),
    pid: process.pid,
    start: findStart(process.pid) ?? UNKNOWN_START,
  };
  return own;
}

/** `unsure` on another machine or container, and where the system does not say when a process began. */
export function checkMark(mark: ProcessMark): 'alive' | 'dead' | 'unsure' {
  if (mark.host !== getOwnMark().host) return 'unsure';
  if (!isRunning(mark.pid)) return 'dead';
  const start = findStart(mark.pid);
  if (start === undefined || mark.start === UNKNOWN_START) return 'unsure';
  return start === mark.start ? 'alive' : 'dead';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process: it runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function findNumberSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux.
    return '';
  }
}

/** Behind the command's name, which may hold anything, the start is the twentieth field. */
const START_FIELD = 19;

function findStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
  } catch {
    // Not Linux, hidden from us, or gone in this moment.
    return undefined;
  }
}
