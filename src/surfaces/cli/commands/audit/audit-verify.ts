import { toIso } from '../../../../core/clock.ts';
import { defined } from '../../../../core/defined.ts';
import type { RunId } from '../../../../core/ids.ts';
import { toFault } from '../../../../core/records/compare-records.ts';
import { toAuditMark } from '../../../../core/records/to-audit-mark.ts';
import { type AuditVerdict, verifyAudit } from '../../../../core/records/verify-audit.ts';
import { EMPTY_LOG, type LogReport } from '../../../../core/records/verify-log.ts';
import { encodeAuditVerdict, MAX_SHOWN_FAULTS } from '../../../../operations/audit/audit-codec.ts';
import { namingRun } from '../../ask/ask-runs.ts';
import { defineCommand } from '../../program/command.ts';
import type { CliContext, GivenFiles } from '../../program/context.ts';
import { parseError } from '../../program/errors.ts';
import { createRunReader } from '../../store-readers.ts';
import { parseRunId } from '../runs/run-id-argument.ts';
import { describeFault, hintFor } from './audit-fault-text.ts';
import { parsePublicKeys } from './parse-public-keys.ts';

const PROGRESS_EVERY_RUNS = 50;
const PROGRESS_EVERY_LINES = 50_000;
const MAX_FILES = 10_000;

interface Verified extends AuditVerdict {
  /** Files that were given, and nothing else, were looked at. */
  readonly isGiven: boolean;
}

export const auditVerify = defineCommand({
  usage: '[--run RUN] | FILE… [--key PUB] [--part]',
  description:
    'Recomputes the hash chain of every run in the database and of every line in the audit files and compares the two,\n' +
    'and each run with its events, with or without a running server. Of each broken run the first altered event is\n' +
    'reported, and on which side. Signed heads are checked too. Exit code 1 when something was altered.\n\n' +
    'With files it checks those alone, against the public key of who wrote them: no database, server or state root is\n' +
    'needed. Give the files of an agent in the order of their days, or a file of claw audit export.',
  args: { min: 0, max: MAX_FILES },
  options: {
    run: { kind: 'text', value: 'RUN', summary: 'only this run' },
    key: {
      kind: 'list',
      value: 'PUB',
      summary:
        'with files: the key they must be signed with, or a file that holds it; may be repeated',
    },
    part: { kind: 'flag', summary: 'with files: days before and after them need not be there' },
  },
  examples: [
    'claw audit verify',
    'claw audit verify --run run_01jv8z4q0k6c --output-format json',
    'claw audit verify 2026-02-*.jsonl --key node.pub --part',
  ],
  async run({ args, options }, context): Promise<Verified> {
    const hasFileOption = options.key.length > 0 || options.part;
    if (args.length > 0 && options.run === undefined) {
      const trusted = await parsePublicKeys(options.key);
      return verifyFiles(context, { files: args, trusted, isPart: options.part });
    }
    if (args.length > 0 || hasFileOption) {
      throw parseError('--key and --part go with files, --run goes without', {
        target: 'audit verify',
      });
    }
    const only = options.run === undefined ? undefined : parseRunId(options.run, 'audit verify');
    return { ...(await verify(context, only)), isGiven: false };
  },
  fields: (verdict: Verified) => encodeAuditVerdict(verdict),
  text(verdict: Verified, style) {
    const { faults } = verdict;
    const checked = verdict.isGiven ? describeGiven(verdict) : describeChecked(verdict);
    if (faults.length > 0) {
      const shown = faults.slice(0, MAX_SHOWN_FAULTS).map(describeFault);
      return [`checked ${checked}`, ...shown].join('\n');
    }
    const isUnsigned = verdict.isGiven && verdict.signatures?.heads === 0;
    return `${isUnsigned ? style.yellow('unsigned') : style.green('ok')}: ${checked}`;
  },
  failure({ faults }) {
    const [first] = faults;
    if (first === undefined) return undefined;
    return {
      exitCode: 1,
      error: {
        kind: 'runtime',
        operation: 'verify_chain',
        target: first.runId ?? first.file ?? '',
        retryable: false,
        message: `${faults.length} broken, first ${describeFault(first)}`,
        hint: hintFor(first),
      },
    };
  },
});

async function verify(context: CliContext, only: RunId | undefined): Promise<AuditVerdict> {
  const store = await context.parts.openStore(context.root);
  try {
    // Its head and not the run: a row that can't be decoded is to be reported, not to end the check.
    if (only !== undefined && !(await store?.records.findHead(only))) {
      await namingRun(only, createRunReader(store, context.clock).get(only));
    }
    context.live.progress('reading audit files …');
    const files = await context.parts.openAuditReader(context.root);
    const verdict = await verifyAudit(
      { store, files },
      {
        ...defined({ only }),
        onProgress({ runs, events }) {
          if (runs % PROGRESS_EVERY_RUNS === 0) {
            context.live.progress(`checked ${events} events of ${runs} runs …`);
          }
        },
      },
    );
    if (only === undefined) await leaveMark(context, verdict);
    return verdict;
  } finally {
    await store?.close();
  }
}

/** For the security checklist. A state root that is not there, or is not ours to write, is looked at all the same. */
async function leaveMark({ parts, root, live, clock }: CliContext, verdict: AuditVerdict) {
  const mark = toAuditMark(verdict, clock.nowMs());
  if (mark === undefined) return;
  await parts
    .noteAudit(root, mark)
    .catch(() => live.warn('the time of this verification could not be noted'));
}

function describeElsewhere(elsewhere: AuditVerdict['elsewhere']): string {
  return [...elsewhere].map(([node, runs]) => `, ${runs} runs held by ${node}`).join('');
}

function describePruned({ prunedRuns }: LogReport): string {
  return prunedRuns === 0 ? '' : ` (${prunedRuns} of them without their oldest events)`;
}

function describeChecked({ log, files, pendingRuns, elsewhere, signatures }: AuditVerdict): string {
  const pending = pendingRuns === 0 ? '' : `, ${pendingRuns} runs not all written yet`;
  const signed = signatures === undefined ? '' : `, ${signatures.signedLines} of them signed`;
  return (
    `${log.events} events of ${log.runs} runs in the database${describePruned(log)}, ` +
    `${files.lines} lines in ${files.files} audit files${signed}${pending}${describeElsewhere(elsewhere)}`
  );
}

function describeGiven({ files, signatures }: AuditVerdict): string {
  const { signedLines = 0, signedThroughMs, keyIds = [] } = signatures ?? {};
  const until = signedThroughMs === undefined ? '' : `, until ${toIso(signedThroughMs)}`;
  const by = keyIds.length === 0 ? '' : ` by ${keyIds.join(', ')}`;
  return `${files.lines} lines of ${files.runs} runs in ${files.files} files, ${signedLines} of them signed${by}${until}`;
}

/** The same as a check of everything, with what there is of it. */
async function verifyFiles(
  { parts, live }: CliContext,
  request: Omit<GivenFiles, 'onProgress'>,
): Promise<Verified> {
  let told = 0;
  const { faults, signatures, ...files } = await parts.verifyGivenFiles({
    ...request,
    onProgress(lines) {
      if (lines - told < PROGRESS_EVERY_LINES) return;
      told = lines;
      live.progress(`checked ${lines} lines …`);
    },
  });
  const isBare = signatures.heads === 0 && faults.length === 0;
  if (isBare)
    live.warn('nothing in these files is signed: hash chains can be made to fit by anybody');
  else if (signatures.heads > 0 && request.trusted === undefined) {
    live.warn('no --key was given: anybody may have signed these files');
  } else if (signatures.unsignedLines > 0 && faults.length === 0) {
    live.warn(`${signatures.unsignedLines} lines are from before signing began`);
  }
  return {
    log: { ...EMPTY_LOG, runs: files.runs, events: files.lines },
    files: { ...files, acceptedLosses: 0, isComplete: true },
    signatures,
    pendingRuns: 0,
    node: undefined,
    elsewhere: new Map(),
    faults: faults.map(toFault),
    isGiven: true,
  };
}
