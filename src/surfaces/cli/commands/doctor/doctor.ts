import { defined } from '../../../../core/defined.ts';
import type { Style } from '../../print/style.ts';
import { defineCommand } from '../../program/command.ts';
import type { Finding } from './doctor-checks.ts';
import { examineInstallation } from './examine-installation.ts';

export const doctor = defineCommand({
  usage: '',
  description:
    'Looks and changes nothing, also in an empty directory. What is configured is really tried: the sandbox runs a\n' +
    'command, the database, Redis and external tool servers are connected. Everything that is not right comes with its\n' +
    'fix. Exit code 1 when a check fails; warnings do not count. What depends on a check that failed is left out.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw doctor', 'claw doctor --root ~/agents', 'claw doctor --output-format json'],
  async run(_input, context) {
    const { root } = context;
    return { root, findings: await examineInstallation(context) };
  },
  fields: ({ root, findings }) => ({
    root,
    has_failures: countOf(findings, 'fail') > 0,
    summary: {
      total: findings.length,
      ok: countOf(findings, 'ok'),
      warnings: countOf(findings, 'warn'),
      failures: countOf(findings, 'fail'),
    },
    checks: findings.map(({ name, status, summary, fix }) => ({
      name,
      status,
      summary,
      ...defined({ fix }),
    })),
  }),
  text: ({ findings }, style) =>
    [
      ...findings.map((finding) => formatFinding(finding, widthOf(findings), style)),
      '',
      formatSum(findings),
    ].join('\n'),
  failure({ root, findings }) {
    const failed = findings.filter(({ status }) => status === 'fail');
    if (failed.length === 0) return undefined;
    return {
      exitCode: 1,
      error: {
        kind: 'runtime',
        operation: 'doctor',
        target: root,
        retryable: false,
        message: `${failed.length} of ${findings.length} checks failed: ${failed.map(({ name }) => name).join(', ')}`,
        hint: failed[0]?.fix ?? 'see the summary of each check',
      },
    };
  },
});

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

function widthOf(findings: readonly Finding[]): number {
  return Math.max(...findings.map(({ name }) => name.length));
}

function formatFinding(finding: Finding, nameWidth: number, style: Style): string {
  const { name, status, summary, fix } = finding;
  const paint = { ok: style.green, warn: style.yellow, fail: style.red }[status];
  const line = `${paint(MARKS[status])}  ${name.padEnd(nameWidth)}  ${summary}`;
  const indent = ' '.repeat(MARKS.ok.length + nameWidth + 4);
  return fix === undefined ? line : `${line}\n${indent}${style.dim('fix:')} ${fix}`;
}

/** `15 checks: 13 ok, 2 warnings, 0 failures`. */
function formatSum(findings: readonly Finding[]): string {
  const count = (status: Finding['status'], noun: string) => {
    const number = countOf(findings, status);
    return `${number} ${noun}${number === 1 ? '' : 's'}`;
  };
  const parts = [
    `${countOf(findings, 'ok')} ok`,
    count('warn', 'warning'),
    count('fail', 'failure'),
  ];
  return `${findings.length} checks: ${parts.join(', ')}`;
}

function countOf(findings: readonly Finding[], status: Finding['status']): number {
  return findings.filter((finding) => finding.status === status).length;
}
