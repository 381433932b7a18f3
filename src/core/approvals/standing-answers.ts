import type { ConfigEditor } from '../config-editor.ts';
import { RuntimeError } from '../errors.ts';
import type { ApprovalId } from '../ids.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import {
  describeStandingRule,
  findStandingRule,
  type StandingRule,
  type StandingRuleSettings,
} from '../policy/standing-rule.ts';
import { OPERATOR } from '../principal.ts';
import type { Approval, ApprovalDecision } from './approval.ts';
import type { Approvals } from './approvals.ts';

/** Answers that hold for the next time too. */
export interface StandingAnswers {
  /** What would be allowed from then on, in words; undefined when no rule can say it. */
  describe(approval: Approval): string | undefined;
  /** Writes the rule into the configuration, in force at once. Throws `invalid_input` when there is none. */
  keep(approval: Approval): Promise<void>;
}

export interface StandingAnswersDeps {
  /** Asked for every question. */
  readonly settings: () => StandingRuleSettings;
  readonly config: Pick<ConfigEditor, 'amend'>;
}

export function createStandingAnswers({ settings, config }: StandingAnswersDeps): StandingAnswers {
  function find({ tool, input, status, owner }: Approval): StandingRule | undefined {
    // Rules know no principal, and what a path means differs from one to the next: such a rule would be for everybody.
    if (owner !== OPERATOR) return undefined;
    const parsed = status === 'pending' ? parseInput(input) : undefined;
    return parsed && findStandingRule({ tool, input: parsed }, settings());
  }

  return {
    describe(approval) {
      const standing = find(approval);
      return standing && describeStandingRule(standing);
    },

    async keep(approval) {
      const standing = find(approval);
      if (standing === undefined) {
        throw new RuntimeError('invalid_input', `no rule can answer ${approval.id} for always`, {
          details: { target: approval.id, hint: 'approve it once, or write a rule by hand' },
        });
      }
      await config.amend((stored) => toPatch(standing, stored));
    },
  };
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

function toPatch(standing: StandingRule, stored: JsonObject): JsonObject {
  if (standing.kind === 'rule') {
    // Without members that are undefined: it is a document.
    const rule = JSON.parse(JSON.stringify(standing.rule)) as JsonObject;
    return { policy: { rules: append(stored, ['policy', 'rules'], [rule]) } };
  }
  const commands = append(stored, ['shell', 'allowed_commands'], standing.commands);
  return { shell: { allowed_commands: commands } };
}

/** Two answers to the same question write it once. */
function append(
  stored: JsonObject,
  [section, field]: readonly [string, string],
  added: readonly JsonValue[],
): JsonValue[] {
  const found = stored[section];
  const list = isJsonObject(found) && Array.isArray(found[field]) ? found[field] : [];
  const known = new Set(list.map((one) => JSON.stringify(one)));
  return [...list, ...added.filter((one) => !known.has(JSON.stringify(one)))];
}

function parseInput(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
