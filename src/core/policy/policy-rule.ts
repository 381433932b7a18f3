import type { JsonObject } from '../json.ts';
import type { Tool } from '../tools/tool.ts';
import type { Aim } from './aim.ts';
import { type Decision, strictest } from './decision.ts';
import { type Reach, reachCall, reachWords, type Where } from './judge-where.ts';

/** An operator's word about calls: which tool, with which argument, and what then. */
export interface PolicyRule {
  /** A tool's name, or a prefix ending in `*`. */
  readonly tool: string;
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Only calls that reach what is named here. */
  readonly where?: Where | undefined;
}

export function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

type Named = Pick<Tool, 'name'>;

/** A call with its meaning, as the tool explains it. */
export interface JudgedCall {
  readonly tool: Named;
  readonly input: JsonObject;
  readonly aims: readonly Aim[];
}

/**
 * The strictest rule that speaks about the call; allowed when none does, since granting came before. Asking is done
 * with where a narrower rule allows: that is how a person's answer holds for the next time.
 */
export async function judgeRules(
  rules: readonly PolicyRule[],
  { tool, input, aims }: JudgedCall,
): Promise<Decision> {
  const named = rules.filter((rule) => matchesName(rule.tool, tool.name));
  const stances: Stance[] = [];
  for (const rule of named) stances.push({ rule, reach: await reachCall(rule.where, input, aims) });
  return weigh(stances, tool);
}

/** The same by the words of the arguments alone, for whoever looks for a rule to propose. */
export function judgeWords(
  rules: readonly PolicyRule[],
  { tool, input }: Pick<JudgedCall, 'tool' | 'input'>,
): Decision {
  const named = rules.filter((rule) => matchesName(rule.tool, tool.name));
  const stances = named.map((rule) => ({ rule, reach: reachWords(rule.where, input) }));
  return weigh(stances, tool);
}

interface Stance {
  readonly rule: PolicyRule;
  readonly reach: Reach;
}

function weigh(stances: readonly Stance[], tool: Named): Decision {
  const speaking = stances.filter(speaks);
  const opinions = speaking
    .filter((one) => one.rule.decision !== 'ask' || !speaking.some((other) => answers(other, one)))
    .map(({ rule }) => toDecision(rule, tool));
  return strictest([{ decision: 'allow', reason: 'no_rule_against' }, ...opinions]);
}

/** Allowing takes a rule about all of a call: one that also reaches elsewhere was not what the operator allowed. */
function speaks({ rule, reach }: Stance): boolean {
  return rule.decision === 'allow' ? reach.coverage === 'all' : reach.coverage !== 'none';
}

/** Whether a rule allows a part of what the other asks about: one tool, and a narrower place of the same kind. */
function answers({ rule, reach }: Stance, asking: Stance): boolean {
  if (rule.decision !== 'allow' || rule.where === undefined || rule.tool.endsWith('*'))
    return false;
  const { where } = asking.rule;
  if (where !== undefined && where.field !== rule.where.field) return false;
  return reach.narrowness > asking.reach.narrowness;
}

/** `fs.write with path notes.txt`, for people. */
export function describeRuleSubject({ tool, where }: Pick<PolicyRule, 'tool' | 'where'>): string {
  if (where === undefined) return tool;
  const { field, prefix = '', equals } = where;
  return `${tool} with ${field} ${equals ?? `${prefix}…`}`;
}

function toDecision(rule: PolicyRule, { name }: Named): Decision {
  const what = describeRuleSubject({ tool: name, where: rule.where });
  switch (rule.decision) {
    case 'allow':
      return { decision: 'allow', reason: 'rule_allow' };
    case 'ask':
      return {
        decision: 'ask',
        reason: 'rule_ask',
        message: `a rule asks for approval of ${what}`,
      };
    case 'deny':
      return { decision: 'deny', reason: 'rule_deny', message: `a rule denies ${what}` };
  }
}
