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
  const { field, prefix } = rule.where;
  const value = input[field];
  if (typeof value !== 'string') return false;
  return value.startsWith(prefix) || plainPath(value).startsWith(plainPath(prefix));
}

/** `./a//b/../c` is `a/c`: another spelling of a path must not walk around a rule. */
function plainPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  const root = path.startsWith('/') ? '/' : '';
  return `${root}${names.join('/')}${names.length > 0 && path.endsWith('/') ? '/' : ''}`;
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
