import { randomInt } from 'node:crypto';
import { readCount } from '../../support/read-count.ts';

export interface TortureSettings {
  readonly kills: number;
  readonly seed: number;
}

const MAX_SEED = 2 ** 31;

/** `PINCER_TORTURE_KILLS` and `PINCER_TORTURE_SEED`; a seed of its own for each run that was given none. */
export function readSettings(defaultKills: number): TortureSettings {
  return {
    kills: readCount('PINCER_TORTURE_KILLS') ?? defaultKills,
    seed: readCount('PINCER_TORTURE_SEED') ?? randomInt(MAX_SEED),
  };
}
