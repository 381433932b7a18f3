import type { ConfigEditor } from '../config-editor.ts';
import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { PolicyRule } from '../policy/policy-rule.ts';
import {
  describeStandingRule,
  findStandingRule,
  type StandingRule,
  type StandingRuleSettings,
} from '../policy/standing-rule.ts';
import { OPERATOR } from '../principal.ts';
import { digestPayload } from '../reliability/idempotency/key-digests.ts';
import type { Approval } from './approval.ts';
import { parseInput } from './approval-input.ts';
import type { StandingAnswer, StandingAnswers } from './standing-answers.ts';

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

    list: () => listAnswers(settings()),

    async withdraw(id) {
      await config.amend((stored) => {
        const patch = toRemoval(id, stored);
        if (patch) return patch;
        throw new RuntimeError('not_found', `standing answer ${id} does not exist`, {
          details: { thing: 'standing_answer' },
        });
      });
    },
  };
}

function listAnswers({ rules, commands }: StandingRuleSettings): StandingAnswer[] {
  const allowed = rules.filter(isStanding).map((rule) => toAnswer({ kind: 'rule', rule }));
  const run = commands.allow.map((one) => toAnswer({ kind: 'commands', commands: [one] }));
  return [...allowed, ...run];
}

/** One that allows all calls of a tool answers no question: it is how the tool is set up. */
function isStanding({ decision, where }: PolicyRule): boolean {
  return decision === 'allow' && where !== undefined;
}

function toAnswer(rule: StandingRule): StandingAnswer {
  const tool = rule.kind === 'rule' ? rule.rule.tool : 'shell.exec';
  return { id: idOf(rule), allows: describeStandingRule(rule), tool, rule };
}

const ID_DIGITS = 16;

function idOf(rule: StandingRule): string {
  const said = rule.kind === 'rule' ? toDocument(rule.rule) : { commands: [...rule.commands] };
  return `ans_${digestPayload(said).slice(0, ID_DIGITS)}`;
}

/** Without members that are undefined: it is a document. */
function toDocument(rule: PolicyRule): JsonObject {
  return JSON.parse(JSON.stringify(rule)) as JsonObject;
}

/** The list without it, of the file; undefined when it is not there. */
function toRemoval(id: string, stored: JsonObject): JsonObject | undefined {
  const rules = readList(stored, ['policy', 'rules']) as unknown as readonly PolicyRule[];
  const keptRules = rules.filter(
    (rule) => !isStanding(rule) || idOf({ kind: 'rule', rule }) !== id,
  );
  if (keptRules.length < rules.length) return { policy: { rules: keptRules.map(toDocument) } };
  const commands = readList(stored, ['shell', 'allowed_commands']);
  const kept = commands.filter((one) => idOf({ kind: 'commands', commands: [String(one)] }) !== id);
  return kept.length < commands.length ? { shell: { allowed_commands: kept } } : undefined;
}

function toPatch(standing: StandingRule, stored: JsonObject): JsonObject {
  if (standing.kind === 'rule') {
    const rule = toDocument(standing.rule);
    return { policy: { rules: append(stored, ['policy', 'rules'], [rule]) } };
  }
  const commands = append(stored, ['shell', 'allowed_commands'], standing.commands);
  return { shell: { allowed_commands: commands } };
}

/** Two answers to the same question write it once. */
function append(
  stored: JsonObject,
  place: readonly [section: string, field: string],
  added: readonly JsonValue[],
): JsonValue[] {
  const list = readList(stored, place);
  const known = new Set(list.map((one) => JSON.stringify(one)));
  return [...list, ...added.filter((one) => !known.has(JSON.stringify(one)))];
}

function readList(
  stored: JsonObject,
  [section, field]: readonly [section: string, field: string],
): readonly JsonValue[] {
  const found = stored[section];
  return isJsonObject(found) && Array.isArray(found[field]) ? found[field] : [];
}
