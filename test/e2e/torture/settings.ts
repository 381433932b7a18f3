import { randomInt } from 'node:crypto';

export interface TortureSettings {
  readonly kills: number;
  readonly seed: number;
}

const MAX_SEED = 2 ** 31;

/** `PINCER_TORTURE_KILLS` and `PINCER_TORTURE_SEED`; a seed of its own for each run that was given none. */
export function readSettings(defaultKills: number): TortureSettings {
  const { PINCER_TORTURE_KILLS: kills, PINCER_TORTURE_SEED: seed } = process.env;
  return {
    kills: parseCount('PINCER_TORTURE_KILLS', kills) ?? defaultKills,
    seed: parseCount('PINCER_TORTURE_SEED', seed) ?? randomInt(MAX_SEED),
  };
}

function parseCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
