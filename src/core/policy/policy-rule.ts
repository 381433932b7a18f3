import type { JsonObject } from '../json.ts';
import type { Tool } from '../tools/tool.ts';
import type { Aim } from './aim.ts';
import { type Decision, strictest } from './decision.ts';
import { coverCall, type Where } from './judge-where.ts';

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

/** A call with its meaning, as the tool explains it. */
export interface JudgedCall {
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly aims: readonly Aim[];
}

/** Says that a rule allows exactly such calls, and not only that none is against it. */
export const ALLOWED_HERE = 'rule_allow_here';

/**
 * The strictest rule that speaks about the call; allowed when none does, since granting came before. A rule that
 * allows a tool in one place answers rules that ask about it in more places, and never one that denies.
 */
export async function judgeRules(
  rules: readonly PolicyRule[],
  call: JudgedCall,
): Promise<Decision> {
  const speaking: PolicyRule[] = [];
  for (const rule of rules) if (await applies(rule, call)) speaking.push(rule);
  const allowing = speaking.filter(({ decision, tool }) => decision === 'allow' && isExact(tool));
  const narrowest = Math.max(0, ...allowing.map(narrowness));
  const opinions = speaking
    .filter((rule) => rule.decision !== 'ask' || !(narrowest > 0 && narrowness(rule) <= narrowest))
    .map((rule) => toDecision(rule, call.tool));
  return strictest([
    narrowest > 0
      ? { decision: 'allow', reason: ALLOWED_HERE }
      : { decision: 'allow', reason: 'no_rule_against' },
    ...opinions,
  ]);
}

async function applies(rule: PolicyRule, { tool, input, aims }: JudgedCall): Promise<boolean> {
  if (!matchesName(rule.tool, tool.name)) return false;
  if (rule.where === undefined) return true;
  const coverage = await coverCall(rule.where, input, aims);
  return rule.decision === 'allow' ? coverage === 'all' : coverage !== 'none';
}

function isExact(tool: string): boolean {
  return !tool.endsWith('*');
}

/** 0 for a rule about all calls, more for one about a narrower place. */
function narrowness({ where }: PolicyRule): number {
  return where?.prefix.length ?? 0;
}

function toDecision(rule: PolicyRule, tool: Tool): Decision {
  const what = rule.where
    ? `${tool.name} with ${rule.where.field} ${rule.where.prefix}…`
    : tool.name;
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
