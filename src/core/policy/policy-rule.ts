import type { JsonObject } from '../json.ts';
import type { Tool } from '../tools/tool.ts';
import { type Decision, strictest } from './decision.ts';

/** An operator's word about calls: which tool, with which argument, and what then. */
export interface PolicyRule {
  /** A tool's name, or a prefix ending in `*`. */
  readonly tool: string;
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Only calls whose argument `field` begins with `prefix`. */
  readonly where?: { readonly field: string; readonly prefix: string } | undefined;
}

export function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** The strictest rule that speaks about the call; allowed when none does, since granting came before. */
export function judgeRules(rules: readonly PolicyRule[], tool: Tool, input: JsonObject): Decision {
  const opinions = rules
    .filter((rule) => applies(rule, tool, input))
    .map((rule) => toDecision(rule, tool));
  return strictest([{ decision: 'allow', reason: 'no_rule_against' }, ...opinions]);
}

function applies(rule: PolicyRule, tool: Tool, input: JsonObject): boolean {
  if (!matchesName(rule.tool, tool.name)) return false;
  if (rule.where === undefined) return true;
  const value = input[rule.where.field];
  return typeof value === 'string' && value.startsWith(rule.where.prefix);
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
