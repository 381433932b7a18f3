import { readdirSync, readFileSync } from 'node:fs';

/** Linux only, as the figures are: what the kernel says about a process. */
const TICKS_PER_SECOND = 100;

/** User and system time of all threads so far. */
export function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces; what follows it does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** As exact as the kernel's scheduler, of a process without its ended threads: all of them, and the main one alone. */
export function readThreadCpuMs(pid: number): { readonly allMs: number; readonly mainMs: number } {
  let allMs = 0;
  let mainMs = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [ranNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    allMs += Number(ranNs) / 1e6;
    if (thread === String(pid)) mainMs = Number(ranNs) / 1e6;
  }
  return { allMs, mainMs };
}

/** User and system time of all children of this process that have ended. */
export function readEndedChildrenCpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

export function readResidentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}
