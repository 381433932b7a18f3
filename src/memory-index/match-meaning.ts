import type { Holdings } from './holdings.ts';
import type { Sight } from './see-slots.ts';
import { NO_COSINE } from './vector-table.ts';

/** How near what is seen lies to the forms of a question. */
export interface MeaningMatch {
  /** Cosines by slot, one array for each form; those without a vector have the mean of the others. */
  readonly forms: readonly Float32Array[];
  /** The better of the forms. */
  readonly best: Float32Array;
  /** Mean of the three best of a conversation. */
  ofConversation(conversation: number): number;
}

const TOP = 3;
/** As it is said, and as a statement: no other form is asked for. */
const MAX_FORMS = 2;

/** Undefined when there is nothing to compare: no question was embedded, or nothing that is seen. */
export function matchMeaning(
  holdings: Holdings,
  questions: readonly Float32Array[] | undefined,
  sight: Sight,
): MeaningMatch | undefined {
  const table = questions?.[0] && holdings.vectors(questions[0].length);
  if (!questions || !table || table.size === 0) return undefined;
  const { scratch, slotCount } = holdings;
  const { slots } = sight;
  const fitting = questions
    .filter((question) => question.length === table.dimensions)
    .slice(0, MAX_FORMS);
  const forms = fitting.map((_, index) => scratch.floats(`form ${index}`, slotCount, NO_COSINE));
  const best = scratch.floats('best form', slotCount, NO_COSINE);
  const count = table.scan(fitting, sight.visible, { forms, best });
  if (count === 0) return undefined;
  if (count < slots.length) for (const form of forms) fillWithMean(form, slots, best);
  return { forms, best, ofConversation: createMeans(holdings, sight, best) };
}

/** What has no vector is as near as the others on average. */
function fillWithMean(form: Float32Array, slots: Int32Array, best: Float32Array): void {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < slots.length; index += 1) {
    const cosine = form[slots[index] as number] as number;
    if (cosine <= NO_COSINE) continue;
    sum += cosine;
    count += 1;
  }
  const mean = sum / count;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index] as number;
    if ((form[slot] as number) > NO_COSINE) continue;
    form[slot] = mean;
    best[slot] = Math.max(best[slot] as number, mean);
  }
}

/** Each is computed when it is first asked for: candidates lie in a few of them as a rule. */
function createMeans(
  { conversations }: Holdings,
  { visible }: Sight,
  best: Float32Array,
): MeaningMatch['ofConversation'] {
  const means = new Map<number, number>();
  const top = new Float32Array(TOP);

  function measure(conversation: number): number {
    top.fill(NO_COSINE);
    for (const slot of conversations.members(conversation)) {
      let cosine = best[slot] as number;
      if (visible[slot] !== 1 || cosine <= (top[TOP - 1] as number)) continue;
      for (let at = 0; at < TOP; at += 1) {
        const kept = top[at] as number;
        if (cosine <= kept) continue;
        top[at] = cosine;
        cosine = kept;
      }
    }
    return meanOf(top);
  }

  return (conversation) => {
    const known = means.get(conversation);
    if (known !== undefined) return known;
    const mean = measure(conversation);
    means.set(conversation, mean);
    return mean;
  };
}

/** As far as there are so many. */
function meanOf(top: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (; count < TOP && (top[count] as number) > NO_COSINE; count += 1) sum += top[count] as number;
  return count === 0 ? 0 : sum / count;
}
