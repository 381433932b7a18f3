import type { Holdings } from './holdings.ts';
import type { Sight } from './see-slots.ts';

/** How near what is seen lies to the forms of a question. */
export interface MeaningMatch {
  /** Cosines by slot, one array for each form; those without a vector have the mean of the others. */
  readonly forms: readonly Float32Array[];
  /** The better of the forms. */
  readonly best: Float32Array;
  /** Mean of the three best of a conversation, by its number. */
  readonly conversations: Float32Array;
}

const NO_VECTOR = -2;
const TOP = 3;

/** Undefined when there is nothing to compare: no question was embedded, or nothing that is seen. */
export function matchMeaning(
  holdings: Holdings,
  questions: readonly Float32Array[] | undefined,
  sight: Sight,
): MeaningMatch | undefined {
  const table = questions?.[0] && holdings.vectors(questions[0].length);
  if (!questions || !table || table.size === 0) return undefined;
  const { scratch, slotCount } = holdings;
  const fitting = questions.filter((question) => question.length === table.dimensions);
  const forms = fitting.map((_, index) => scratch.floats(`form ${index}`, slotCount, NO_VECTOR));
  table.scan(fitting, sight.visible, forms);
  const best = scratch.floats('best form', slotCount, NO_VECTOR);
  for (const form of forms) {
    if (!takeForm(form, sight.slots, best)) return undefined;
  }
  return { forms, best, conversations: meanOfBest(holdings, sight, best) };
}

/** Keeps the better of it and what is there; false when nothing that is seen has a vector. */
function takeForm(form: Float32Array, slots: Int32Array, best: Float32Array): boolean {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index] as number;
    const cosine = form[slot] as number;
    if (cosine <= NO_VECTOR) continue;
    if (cosine > (best[slot] as number)) best[slot] = cosine;
    sum += cosine;
    count += 1;
  }
  if (count === 0) return false;
  const mean = sum / count;
  for (let index = 0; count < slots.length && index < slots.length; index += 1) {
    const slot = slots[index] as number;
    if ((form[slot] as number) > NO_VECTOR) continue;
    form[slot] = mean;
    best[slot] = Math.max(best[slot] as number, mean);
  }
  return true;
}

function meanOfBest(
  { columns, conversations }: Holdings,
  { slots }: Sight,
  best: Float32Array,
): Float32Array {
  const size = conversations.size;
  const { conversation } = columns;
  const top = new Float32Array(size * TOP).fill(NO_VECTOR);
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index] as number;
    const talk = conversation[slot] as number;
    let cosine = best[slot] as number;
    if (talk < 0 || cosine <= (top[talk * TOP + TOP - 1] as number)) continue;
    for (let at = talk * TOP; at < talk * TOP + TOP; at += 1) {
      const kept = top[at] as number;
      if (cosine <= kept) continue;
      top[at] = cosine;
      cosine = kept;
    }
  }
  const means = new Float32Array(size);
  for (let talk = 0; talk < size; talk += 1) means[talk] = meanOf(top, talk * TOP);
  return means;
}

/** Of the three from there on, as far as there are so many. */
function meanOf(top: Float32Array, start: number): number {
  let sum = 0;
  let count = 0;
  for (let at = start; at < start + TOP && (top[at] as number) > NO_VECTOR; at += 1) {
    sum += top[at] as number;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}
