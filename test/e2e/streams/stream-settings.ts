import { randomInt } from 'node:crypto';
import { readCount } from '../../support/read-count.ts';

export interface StreamTorture {
  readonly cuts: number;
  readonly kills: number;
  readonly readers: number;
  readonly seed: number;
}

const MAX_SEED = 2 ** 31;

/** `PINCER_TORTURE_CUTS`, `_STREAM_KILLS`, `_READERS` and `_SEED`; a seed of its own for each run that was given none. */
export function readStreamSettings(): StreamTorture {
  return {
    cuts: readCount('PINCER_TORTURE_CUTS') ?? 1_000,
    kills: readCount('PINCER_TORTURE_STREAM_KILLS') ?? 3,
    readers: readCount('PINCER_TORTURE_READERS') ?? 24,
    seed: readCount('PINCER_TORTURE_SEED') ?? randomInt(MAX_SEED),
  };
}
