import type { JsonObject } from '../json.ts';
import { type CommandRules, findAnswers } from './command-rules/judge-command.ts';
import { plainPath } from './plain-path.ts';
import { describeRuleSubject, judgeWords, type PolicyRule } from './policy-rule.ts';

/** What "always" writes down: the narrowest rule under which the same call is not asked about again. */
export type StandingRule =
  | { readonly kind: 'rule'; readonly rule: PolicyRule }
  /** For `shell.allowed_commands`. */
  | { readonly kind: 'commands'; readonly commands: readonly string[] };

export interface StandingRuleSettings {
  readonly rules: readonly PolicyRule[];
  readonly commands: CommandRules;
  /** What is run for a call of the shell. */
  readonly toArgv: (input: JsonObject) => readonly string[] | undefined;
}

/** Tools that are about one file, which their `path` names. */
const FILE_TOOLS = new Set(['fs.read', 'fs.list', 'fs.write', 'fs.edit', 'fs.append', 'fs.delete']);

/**
 * Undefined when a rule can't say it, or would not help: what asks may be something else than a rule, as when a run
 * has seen secrets and strangers' words.
 */
export function findStandingRule(
  call: { readonly tool: string; readonly input: JsonObject },
  settings: StandingRuleSettings,
): StandingRule | undefined {
  const tool = { name: call.tool };
  const judge = (rules: readonly PolicyRule[]) =>
    judgeWords(rules, { tool, input: call.input }).decision;
  const isAsked = judge(settings.rules) === 'ask';
  if (call.tool === 'shell.exec') {
    const argv = settings.toArgv(call.input);
    const commands = argv === undefined ? undefined : findAnswers(settings.commands, argv);
    return isAsked || commands === undefined ? undefined : { kind: 'commands', commands };
  }
  const where = findWhere(call.tool, call.input);
  if (!isAsked || where === undefined) return undefined;
  const rule: PolicyRule = { tool: call.tool, decision: 'allow', where };
  return judge([...settings.rules, rule]) === 'allow' ? { kind: 'rule', rule } : undefined;
}

export function describeStandingRule(standing: StandingRule): string {
  return standing.kind === 'rule'
    ? describeRuleSubject(standing.rule)
    : `shell.exec with command ${standing.commands.map((command) => `${command}…`).join(', ')}`;
}

/** A file as it lies in the workspace, an address by its origin. */
function findWhere(tool: string, input: JsonObject): PolicyRule['where'] {
  const { path, url, recursive = false } = input;
  // What lies in a directory tomorrow is not what was agreed to.
  if (tool === 'fs.delete' && recursive !== false) return undefined;
  if (FILE_TOOLS.has(tool) && typeof path === 'string' && !path.startsWith('/')) {
    const equals = plainPath(path);
    return equals === '' || equals.startsWith('..') ? undefined : { field: 'path', equals };
  }
  if (tool !== 'http.request' || typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return { field: 'url', prefix: `${new URL(url).origin}/` };
}
