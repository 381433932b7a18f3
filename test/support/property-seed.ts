import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/**
 * Properties are tried on the same values in every run, so that a failure is the fault of the change at hand.
 * `PINCER_PROPERTY_SEED=random` looks for new ones; a failure prints the seed that repeats it.
 */
const DEFAULT_SEED = 20_261_118;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: readSeed() });

function readSeed(): number {
  const { PINCER_PROPERTY_SEED: seed } = process.env;
  if (seed === 'random') return randomInt(2 ** 31);
  return seed === undefined ? DEFAULT_SEED : Number(seed);
}
