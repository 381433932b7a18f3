import { hostname } from 'node:os';
import { fingerprintWorkspace } from '../../core/transcripts/fingerprint-workspace.ts';
import { findProcessSpace, findStartTicks, isRunning } from '../../platform/running-process.ts';

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
    host: fingerprintWorkspace(`${hostname()} ${findProcessSpace() ?? ''}`),
    pid: process.pid,
    start: findStartTicks(process.pid) ?? UNKNOWN_START,
  };
  return own;
}

/** `unsure` on another machine or container, and where the system does not say when a process began. */
export function checkMark(mark: ProcessMark): 'alive' | 'dead' | 'unsure' {
  if (mark.host !== getOwnMark().host) return 'unsure';
  if (!isRunning(mark.pid)) return 'dead';
  const start = findStartTicks(mark.pid);
  if (start === undefined || mark.start === UNKNOWN_START) return 'unsure';
  return start === mark.start ? 'alive' : 'dead';
}
