import { SIGNALS, type Weights } from '../../src/core/memory/ranking/signals.ts';
import type { MeasuredQuestion } from './memory-recall.ts';

/** Passes over all questions, step size, pull towards zero, questions per step. */
const PASSES = 20;
const STEP = 0.1;
const DECAY = 0.0005;
const BATCH = 32;
const SEED = 1;

/**
 * Weights that put each turn of the evidence above all turns that are none: softmax of one against the others, by
 * Adam. A few seconds; the same questions give the same weights.
 */
export function fitWeights(questions: readonly MeasuredQuestion[]): Weights {
  const size = SIGNALS.length;
  const weights = new Float64Array(size);
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  const random = createRandom(SEED);
  let steps = 0;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const order = shuffle(questions, random);
    for (let start = 0; start < order.length; start += BATCH) {
      const batch = order.slice(start, start + BATCH);
      const slope = new Float64Array(size);
      for (const question of batch) addSlope(question, weights, slope);
      steps += 1;
      const step = STEP * (1 - (0.9 * pass) / PASSES);
      for (let at = 0; at < size; at += 1) {
        const towards = slope[at]! / batch.length + DECAY * weights[at]!;
        mean[at] = 0.9 * mean[at]! + 0.1 * towards;
        square[at] = 0.999 * square[at]! + 0.001 * towards * towards;
        const size1 = mean[at]! / (1 - 0.9 ** steps);
        const size2 = Math.sqrt(square[at]! / (1 - 0.999 ** steps)) + 1e-8;
        weights[at]! -= (step * size1) / size2;
      }
    }
  }
  return Object.fromEntries(
    SIGNALS.map((signal, at) => [signal, Math.round(weights[at]! * 100) / 100]),
  ) as unknown as Weights;
}

/** Each turn of the evidence competes with all that are none, not with the rest of the evidence. */
function addSlope(
  { signals, evidence }: MeasuredQuestion,
  weights: Float64Array,
  slope: Float64Array,
): void {
  const size = weights.length;
  const count = signals.length / size;
  const sums = new Float64Array(count);
  let most = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < count; row += 1) {
    let sum = 0;
    for (let at = 0; at < size; at += 1) sum += signals[row * size + at]! * weights[at]!;
    sums[row] = sum;
    most = Math.max(most, sum);
  }
  const powers = sums.map((sum) => Math.exp(sum - most));
  const wanted = new Set(evidence);
  let others = 1e-30;
  powers.forEach((power, row) => {
    if (!wanted.has(row)) others += power;
  });
  const perOther = evidence.reduce((sum, row) => sum + 1 / (powers[row]! + others), 0);
  const scale = 1 / Math.sqrt(evidence.length);
  for (let row = 0; row < count; row += 1) {
    const power = powers[row]!;
    const pull = wanted.has(row) ? power / (power + others) - 1 : power * perOther;
    if (Math.abs(pull) < 1e-9) continue;
    for (let at = 0; at < size; at += 1) slope[at]! += scale * pull * signals[row * size + at]!;
  }
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
  }
  return shuffled;
}

/** Mulberry32: small, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
