import type { Question } from '../core/memory/ranking/read-question.ts';
import type { Holdings } from './holdings.ts';
import type { MeaningMatch } from './match-meaning.ts';
import type { TermMatch } from './match-terms.ts';
import type { Sight } from './see-slots.ts';

/** One search: what is asked, what may be seen, and what words and meaning found. */
export interface View {
  readonly holdings: Holdings;
  readonly sight: Sight;
  readonly question: Question;
  readonly terms: TermMatch;
  readonly meaning: MeaningMatch | undefined;
  /** Numbers of the speakers that the question names. */
  readonly named: ReadonlySet<number>;
  /** Two before and two after in the conversation, nearest first each, of what is seen; −1 for nobody. */
  around(slot: number): Around;
}

/** The one before, the one before that, the one after, the one after that. */
export type Around = readonly [before: number, earlier: number, after: number, later: number];

const NOBODY = -1;
/** Behind so many that are not seen nobody is looked for. */
const MAX_HIDDEN = 16;

export function createAround({ columns }: Holdings, { visible }: Sight): View['around'] {
  function step(links: Int32Array, slot: number): number {
    let at = slot < 0 ? NOBODY : (links[slot] ?? NOBODY);
    for (let hidden = 0; at >= 0 && hidden <= MAX_HIDDEN; hidden += 1) {
      if (visible[at] === 1) return at;
      at = links[at] ?? NOBODY;
    }
    return NOBODY;
  }

  return (slot) => {
    const before = step(columns.previous, slot);
    const after = step(columns.next, slot);
    return [before, step(columns.previous, before), after, step(columns.next, after)];
  };
}
