import type { ApprovalId } from '../ids.ts';
import type { StandingRule } from '../policy/standing-rule.ts';
import type { Approval, ApprovalDecision } from './approval.ts';
import type { Approvals } from './approvals.ts';

/** Answers that hold for the next time too. */
export interface StandingAnswers {
  /** What would be allowed from then on, in words; undefined when no rule can say it. */
  describe(approval: Approval): string | undefined;
  /** Writes the rule into the configuration, in force at once. Throws `invalid_input` when there is none. */
  keep(approval: Approval): Promise<void>;
  /** Those in force, whoever wrote them: narrow rules that allow, and commands. */
  list(): readonly StandingAnswer[];
  /** From now on such calls are asked about again. Throws `not_found`. */
  withdraw(id: string): Promise<void>;
}

export interface StandingAnswer {
  /** The same for as long as it says the same. */
  readonly id: string;
  /** What it allows, in words. */
  readonly allows: string;
  readonly tool: string;
  readonly rule: StandingRule;
}

export interface AnsweredApproval extends ApprovalDecision {
  /** Only with `approved`: from now on such calls are not asked about any more. */
  readonly isAlways?: boolean;
}

/** Answers a question. What is to hold for always is in force before the run goes on, which may ask the same again. */
export async function answerApproval(
  {
    approvals,
    standing,
  }: {
    readonly approvals: Pick<Approvals, 'get' | 'decide'>;
    readonly standing: StandingAnswers;
  },
  id: ApprovalId,
  { isAlways = false, ...decision }: AnsweredApproval,
): Promise<Approval> {
  if (isAlways) {
    const approval = await approvals.get(id);
    // What is settled is refused by `decide`, with the reason.
    if (approval.status === 'pending') await standing.keep(approval);
  }
  return approvals.decide(id, decision);
}
