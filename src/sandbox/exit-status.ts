import { constants } from 'node:os';
import type { SandboxEnd } from '../core/sandbox/sandbox.ts';

const SIGNAL_BASE = 128;

/** Reads a status as shells report it: above 128 it names the signal that ended the command. */
export function toExited(exitCode: number): SandboxEnd {
  const signal = Object.entries(constants.signals).find(
    ([, number]) => number === exitCode - SIGNAL_BASE,
  );
  return signal === undefined
    ? { how: 'exited', exitCode }
    : { how: 'exited', exitCode, signal: signal[0] };
}
