import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { endGroup, GROUP_LEADER, signalGroup } from './process-group.ts';
import { findStartTicks, isRunning } from './running-process.ts';

const children: ChildProcess[] = [];

afterEach(() => {
  for (const { pid } of children.splice(0)) signalGroup(pid, 'SIGKILL');
});

/** A program with one of its own, which says both numbers once it is ready. */
async function startTree(script: string): Promise<{ child: ChildProcess; below: number }> {
  const tree = `
    const below = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    ${script}
    process.stdout.write(String(below.pid) + '\\n');
    setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['-e', tree], {
    ...GROUP_LEADER,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, below: Number(said.toString()) };
}

const GONE = { timeout: 20_000, interval: 20 };

test('a signal reaches what the program has started', async () => {
  const { child, below } = await startTree('');

  expect(signalGroup(child.pid, 'SIGKILL')).toBe(true);

  await vi.waitFor(() => expect(isGone(below)).toBe(true), GONE);
});

test('a program that goes by itself gets no signal', async () => {
  const { child } = await startTree("process.stdin.on('end', () => process.exit(7)).resume();");

  child.stdin?.end();
  await endGroup(child, systemClock, 20_000);

  expect([child.exitCode, child.signalCode]).toEqual([7, null]);
});

test('one that does not hear is asked, then ended with its group', async () => {
  const { child, below } = await startTree("process.on('SIGTERM', () => {});");

  await endGroup(child, systemClock, 50);

  expect(child.signalCode).toBe('SIGKILL');
  await vi.waitFor(() => expect(isGone(below)).toBe(true), GONE);
});

test('numbers that would mean everybody, or ourselves, are no groups', () => {
  expect([undefined, -1, 0, 1].map((pid) => signalGroup(pid, 'SIGKILL'))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('tells a process that runs from one that is gone', async () => {
  const { child } = await startTree('');
  const pid = child.pid ?? 0;
  expect([isRunning(pid), isRunning(process.pid)]).toEqual([true, true]);
  if (process.platform === 'linux') expect(findStartTicks(pid)).toMatch(/^\d+$/);

  signalGroup(pid, 'SIGKILL');
  await once(child, 'exit');

  expect(isRunning(pid)).toBe(false);
  expect(findStartTicks(pid)).toBeUndefined();
});

/** Killed ones that nobody has collected yet are as good as gone. */
function isGone(pid: number): boolean {
  return !isRunning(pid) || isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform === 'linux';
  }
}
