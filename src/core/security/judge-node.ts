import type { CheckStatus } from './judgement.ts';

const MIN_NODE = [20, 11] as const;
export const OLDEST_NODE = MIN_NODE.join('.');
export const RECOMMENDED_NODE = 24;

export interface NodeJudgement {
  readonly status: CheckStatus;
  readonly isRecommended: boolean;
}

/** The floor counts to the minor version. */
export function judgeNode(version: string): NodeJudgement {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isTooOld = major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]);
  return { status: isTooOld ? 'fail' : 'pass', isRecommended: major >= RECOMMENDED_NODE };
}
