import { defined } from '../../../../core/defined.ts';
import { LANGUAGES } from '../../../../core/security/judgement.ts';
import { readChecklist } from '../../../../operations/security/security.ts';
import type { ChecklistShape } from '../../../../operations/security/security-shapes.ts';
import { askSecurity } from '../../ask/ask-security.ts';
import type { Style } from '../../print/style.ts';
import { defineCommand } from '../../program/command.ts';

type Check = ChecklistShape['checks'][number];

export const securityCheck = defineCommand({
  usage: '[--language en|es]',
  description:
    'Whether this installation may be opened to the world: token, address, tunnel, sandbox, policy, records, backups and\n' +
    'more, each with what to do about it, and the commands that open a tunnel. Asks the running server, else looks itself.\n' +
    'Exit code 1 when a check fails; warnings do not count.',
  args: { min: 0, max: 0 },
  options: {
    language: {
      kind: 'choice',
      value: 'LANGUAGE',
      choices: LANGUAGES,
      summary: 'of what is said: en or es (default en)',
    },
  },
  examples: ['claw security check', 'claw security check --language es --output-format json'],
  run: ({ options: { language = 'en' } }, context) => {
    context.live.progress('checking …');
    return askSecurity(context, readChecklist, { headers: { 'accept-language': language } });
  },
  fields: ({ via, answer: { remote_access: remote, ...answer } }) => ({
    ...answer,
    remote_access: { provider: remote.provider, ...defined({ public_url: remote.public_url }) },
    via,
  }),
  text: ({ answer }, style) =>
    [
      ...answer.checks.map((check) => formatCheck(check, style)),
      '',
      formatSum(answer),
      ...formatCommands(answer, style),
    ].join('\n'),
  failure({ answer: { checks } }) {
    const failed = checks.filter(({ status }) => status === 'fail');
    const [first] = failed;
    if (first === undefined) return undefined;
    return {
      exitCode: 1,
      error: {
        kind: 'runtime',
        operation: 'security_check',
        target: first.id,
        retryable: false,
        message: `${failed.length} of ${checks.length} checks failed: ${failed.map(({ id }) => id).join(', ')}`,
        hint: first.recovery_action,
      },
    };
  },
});

const MARKS = { pass: 'pass', warn: 'warn', fail: 'FAIL' } as const;

function formatCheck({ id, status, message, recovery_action: next }: Check, style: Style): string {
  const paint = { pass: style.green, warn: style.yellow, fail: style.red }[status];
  const line = `${paint(MARKS[status])}  ${message} ${style.dim(`(${id})`)}`;
  return status === 'pass' ? line : `${line}\n      ${next}`;
}

/** `18 checks: 12 pass, 6 warn, 0 fail: review_required`. */
function formatSum({ checks, overall_status: overall }: ChecklistShape): string {
  const counts = (['pass', 'warn', 'fail'] as const).map(
    (status) => `${checks.filter((check) => check.status === status).length} ${status}`,
  );
  return `${checks.length} checks: ${counts.join(', ')}: ${overall}`;
}

function formatCommands(
  { remote_access: { provider, public_url: url }, helper_commands: commands }: ChecklistShape,
  style: Style,
): string[] {
  if (provider !== 'none')
    return [`remote access: ${provider}${url === undefined ? '' : ` ${url}`}`];
  return Object.entries(commands).map(
    ([name, lines]) => `${style.dim(`${name}:`)} ${lines.join(' && ')}`,
  );
}
