import { toRuntimeError } from '../../../core/errors.ts';
import { defineCommand } from '../command.ts';
import type { CliContext } from '../context.ts';
import type { Diagnosis, Settings } from '../diagnosis.ts';
import {
  checkDisk,
  checkModel,
  checkNode,
  checkPort,
  checkServer,
  checkStateRoot,
  checkStore,
  checkToken,
  type Finding,
  type Verdict,
} from '../doctor-checks.ts';
import { checkMcpServers, checkSandbox } from '../doctor-tool-checks.ts';
import { findRemoteMcp } from '../open-mcp.ts';
import { toPlainText } from '../plain-text.ts';
import type { Style } from '../style.ts';

export const doctor = defineCommand({
  usage: '',
  description:
    'Looks and changes nothing, also in an empty directory. What is configured is really tried: the sandbox runs a\n' +
    'command, Redis and external tool servers are connected. Exit code 1 when a check fails; warnings do not count.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw doctor', 'claw doctor --output-format json'],
  async run(_input, context) {
    const { root } = context;
    return { root, findings: await examine(context) };
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
      ...(fix === undefined ? {} : { fix }),
    })),
  }),
  text: ({ findings }, style) =>
    findings.map((finding) => formatFinding(finding, widthOf(findings), style)).join('\n'),
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

async function examine(context: CliContext): Promise<Finding[]> {
  const { root } = context;
  const diagnosis = await context.parts.diagnose(root);
  const { paths } = diagnosis;
  const findings: Finding[] = [];
  const check = async (name: string, run: () => Promise<Verdict>) => {
    context.live.progress(`checking ${name} …`);
    findings.push({ name, ...(await run().catch(toVerdict)) });
  };
  await check('node', async () => checkNode(process.versions.node));
  await check('state_root', () => checkStateRoot(root, paths.stateDir));
  await check('disk', () => checkDisk(root));
  const settings = await loadSettings(diagnosis);
  findings.push(settings.finding);
  if (settings.loaded) {
    const { loaded } = settings;
    await check('token', () => checkToken(loaded, paths.tokenFile));
    await check('server', () => checkServer(context));
    await check('port', () => checkPort(context, loaded));
    await check('database', () => checkStore(diagnosis));
    if (loaded.hasRedis) {
      await check('redis', async () => {
        await diagnosis.pingRedis();
        return { status: 'ok', summary: 'REDIS_URL answers' };
      });
    }
    await check('model', () => checkModel(diagnosis));
    const { sandbox } = loaded;
    if (sandbox !== undefined) {
      await check('sandbox', async () => checkSandbox(sandbox, await diagnosis.probeSandbox()));
    }
    if (loaded.hasMcpServers) {
      context.live.progress('checking mcp …');
      findings.push(...(await examineMcp(context, diagnosis)));
    }
  }
  return findings;
}

/** What the running server found; else what is found now. */
async function examineMcp(context: CliContext, diagnosis: Diagnosis): Promise<Finding[]> {
  try {
    const remote = await findRemoteMcp(context);
    if (remote) return checkMcpServers((await remote.list()).servers, { comparesTools: true });
    return checkMcpServers(await diagnosis.tryMcpServers(), { comparesTools: false });
  } catch (thrown) {
    return [{ name: 'mcp', ...toVerdict(thrown) }];
  }
}

interface LoadedSettings {
  readonly finding: Finding;
  readonly loaded: Settings | undefined;
}

async function loadSettings(diagnosis: Diagnosis): Promise<LoadedSettings> {
  const name = 'config';
  try {
    const loaded = await diagnosis.loadSettings();
    return { loaded, finding: { name, status: 'ok', summary: 'the configuration is valid' } };
  } catch (thrown) {
    return { loaded: undefined, finding: { name, ...toVerdict(thrown) } };
  }
}

/** A check that could not be made is a failed one. */
function toVerdict(thrown: unknown): Verdict {
  const error = toRuntimeError(thrown);
  const fix = error.details?.['fix'];
  const cause =
    error.code === 'internal' && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return {
    status: 'fail',
    summary: toPlainText(`${error.message}${cause}`),
    ...(typeof fix === 'string' ? { fix } : {}),
  };
}

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;
const MIN_NAME_WIDTH = 'state_root'.length;

function widthOf(findings: readonly Finding[]): number {
  return Math.max(MIN_NAME_WIDTH, ...findings.map(({ name }) => name.length));
}

function formatFinding(finding: Finding, nameWidth: number, style: Style): string {
  const { name, status, summary, fix } = finding;
  const paint = { ok: style.green, warn: style.yellow, fail: style.red }[status];
  const line = `${paint(MARKS[status])}  ${name.padEnd(nameWidth)}  ${summary}`;
  const indent = ' '.repeat(MARKS.ok.length + nameWidth + 4);
  return fix === undefined ? line : `${line}\n${indent}${style.dim('fix:')} ${fix}`;
}

function countOf(findings: readonly Finding[], status: Finding['status']): number {
  return findings.filter((finding) => finding.status === status).length;
}
