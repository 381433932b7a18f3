import { OPERATOR } from '../principal.ts';
import type { ImportOptions, Need } from './import-report.ts';

/** As many as are told by name. */
const MAX_NAMED = 10;

export interface Principals {
  /** Whether what belongs to this owner comes in. */
  isTaken(owner: string): boolean;
  needs(): readonly Need[];
}

/** `user:42` may be somebody else here: what belongs to principals comes in only when the operator says so. */
export function createPrincipals({ principals }: Pick<ImportOptions, 'principals'>): Principals {
  const named = new Set<string>();
  let rows = 0;
  return {
    isTaken(owner) {
      if (owner === OPERATOR) return true;
      rows += 1;
      if (named.size < MAX_NAMED) named.add(owner);
      return principals !== 'skip';
    },

    needs() {
      if (rows === 0 || principals === 'keep') return [];
      const what = [...named].join(', ');
      const message =
        principals === 'skip'
          ? `${rows} rows of principals (${what}) are left out`
          : `${rows} rows belong to principals (${what}); --principals keep takes them for the same ones here, --principals skip leaves them out`;
      return [{ kind: 'principal', what, isBlocking: principals !== 'skip', message }];
    },
  };
}
