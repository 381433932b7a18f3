import type { CheckStatus } from './judgement.ts';
import type { TokenWeakness } from './token-weakness.ts';

/** Beyond this machine whoever guesses it has everything. */
export function judgeToken(weakness: TokenWeakness | undefined, isExposed: boolean): CheckStatus {
  if (weakness === undefined) return 'pass';
  return isExposed ? 'fail' : 'warn';
}
