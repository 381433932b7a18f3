import { defined } from '../../../../core/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/json.ts';
import { describeRuleSubject, type PolicyRule } from '../../../../core/policy/policy-rule.ts';
import { formatTable } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

/** What the configuration says about calls, beside what is granted. */
export interface Rules {
  readonly rules: readonly PolicyRule[];
  readonly allowedCommands: readonly string[];
  readonly askedCommands: readonly string[];
  readonly deniedCommands: readonly string[];
}

/** Of a configuration that was checked. */
export function findRules(config: JsonObject): Rules {
  const { rules } = section(config, 'policy');
  const shell = section(config, 'shell');
  return {
    rules: Array.isArray(rules) ? (rules as unknown as PolicyRule[]) : [],
    allowedCommands: texts(shell['allowed_commands']),
    askedCommands: texts(shell['ask_commands']),
    deniedCommands: texts(shell['denied_commands']),
  };
}

export function encodeRules({ rules, ...commands }: Rules): JsonObject {
  return {
    rules: rules.map(({ tool, decision, where }) => ({
      tool,
      decision,
      ...(where === undefined
        ? {}
        : {
            where: {
              field: where.field,
              ...defined({ equals: where.equals, prefix: where.prefix }),
            },
          }),
    })),
    commands: {
      allowed: [...commands.allowedCommands],
      asked: [...commands.askedCommands],
      denied: [...commands.deniedCommands],
    },
  };
}

export function formatRules(rules: Rules, style: Style): string[] {
  const command = (decision: string) => (words: string) => [
    `  ${decision}`,
    toOneLine(`shell.exec with command ${words}…`, 200),
  ];
  const rows = [
    ...rules.rules.map((rule) => [`  ${rule.decision}`, toOneLine(describeRuleSubject(rule), 200)]),
    ...rules.allowedCommands.map(command('allow')),
    ...rules.askedCommands.map(command('ask')),
    ...rules.deniedCommands.map(command('deny')),
  ];
  if (rows.length === 0) return [];
  const how = style.dim('  change them: claw config set policy.rules, shell.allowed_commands, …');
  return ['', style.bold('rules about calls:'), formatTable(rows), how];
}

function section(config: JsonObject, name: string): JsonObject {
  const found = config[name];
  return isJsonObject(found) ? found : {};
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
