import { defined } from '../../../core/defined.ts';
import type { RunId } from '../../../core/ids.ts';
import { toAuditMark } from '../../../core/records/to-audit-mark.ts';
import {
  type AuditFault,
  type AuditVerdict,
  verifyAudit,
} from '../../../core/records/verify-audit.ts';
import type { LogReport } from '../../../core/records/verify-log.ts';
import { encodeAuditVerdict, MAX_SHOWN_FAULTS } from '../../../operations/audit/audit-codec.ts';
import { namingRun } from '../ask/ask-runs.ts';
import { defineCommand } from '../command.ts';
import type { CliContext } from '../context.ts';
import { parseRunId } from '../run-id-argument.ts';
import { createRunReader } from '../store-readers.ts';

const PROGRESS_EVERY_RUNS = 50;

export const auditVerify = defineCommand({
  usage: '[--run RUN]',
  description:
    'Recomputes the hash chain of every run in the database and of every line in the audit files and compares the two,\n' +
    'and each run with its events, with or without a running server. Of each broken run the first altered event is\n' +
    'reported, and on which side. Exit code 1 when something was altered.',
  args: { min: 0, max: 0 },
  options: { run: { kind: 'text', value: 'RUN', summary: 'only this run' } },
  examples: ['claw audit verify', 'claw audit verify --run run_01jv8z4q0k6c --output-format json'],
  async run({ options }, context): Promise<AuditVerdict> {
    const only = options.run === undefined ? undefined : parseRunId(options.run, 'audit verify');
    return verify(context, only);
  },
  fields: encodeAuditVerdict,
  text({ log, files, pendingRuns, elsewhere, faults }, style) {
    const pending = pendingRuns === 0 ? '' : `, ${pendingRuns} runs not all written yet`;
    const checked =
      `${log.events} events of ${log.runs} runs in the database${describePruned(log)}, ` +
      `${files.lines} lines in ${files.files} audit files${pending}${describeElsewhere(elsewhere)}`;
    if (faults.length === 0) return `${style.green('ok')}: ${checked}`;
    return [`checked ${checked}`, ...faults.slice(0, MAX_SHOWN_FAULTS).map(describeFault)].join(
      '\n',
    );
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
        hint: 'compare with a backup; what comes before the first altered event is intact',
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

function describeFault({ where, runId, seq, reason, file, line }: AuditFault): string {
  const written = file === undefined ? 'the audit files' : `${file}:${line}`;
  const place = where === 'both' ? `in the database and ${written}` : PLACES[where](written);
  const event = seq === undefined ? 'a line' : `event ${seq} of ${runId ?? 'an unknown run'}`;
  return `${event} ${place}: ${reason}`;
}

const PLACES = {
  database: () => 'in the database',
  audit_file: (written: string) => `in ${written}`,
};
