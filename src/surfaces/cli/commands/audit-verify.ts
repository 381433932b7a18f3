import type { RunId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json.ts';
import { defineCommand } from '../command.ts';
import type { AuditFilesReport, CliContext } from '../context.ts';
import { getRun, toRunReader } from '../open-runs.ts';
import { parseRunId } from '../run-id-argument.ts';
import { type LogReport, verifyLog } from '../verify-log.ts';

interface Verified {
  readonly log: LogReport;
  readonly files: AuditFilesReport;
  readonly faults: readonly Fault[];
}

interface Fault {
  readonly where: 'database' | 'audit_file';
  readonly runId: string | undefined;
  readonly seq: number | undefined;
  readonly reason: string;
  readonly file?: string;
  readonly line?: number;
}

/** In the document; the counts are whole. */
const MAX_SHOWN_FAULTS = 100;
const PROGRESS_EVERY_RUNS = 50;

export const auditVerify = defineCommand({
  usage: '[--run RUN]',
  description:
    'Recomputes the hash chain of every run in the database and of every line in the audit files, with or without a\n' +
    'running server. Of each broken run the first altered event is reported. Exit code 1 when something was altered.',
  args: { min: 0, max: 0 },
  options: { run: { kind: 'text', value: 'RUN', summary: 'only this run' } },
  examples: ['claw audit verify', 'claw audit verify --run run_01jv8z4q0k6c --output-format json'],
  async run({ options }, context): Promise<Verified> {
    const only = options.run === undefined ? undefined : parseRunId(options.run, 'audit verify');
    const log = await checkLog(context, only);
    context.live.progress('checking audit files …');
    const files = await context.parts.verifyAuditFiles(context.root);
    const fileFaults = files.faults.filter(({ runId }) => only === undefined || runId === only);
    return {
      log,
      files,
      faults: [
        ...log.faults.map((fault) => ({ where: 'database' as const, ...fault })),
        ...fileFaults.map(({ kind, ...fault }) => ({
          where: 'audit_file' as const,
          reason: kind,
          ...fault,
        })),
      ],
    };
  },
  fields: ({ log, files, faults }) => ({
    verified: faults.length === 0,
    runs_count: log.runs,
    events_count: log.events,
    audit_files_count: files.files,
    audit_lines_count: files.lines,
    faults_count: faults.length,
    first_fault: faults[0] === undefined ? null : encodeFault(faults[0]),
    faults: faults.slice(0, MAX_SHOWN_FAULTS).map(encodeFault),
  }),
  text({ log, files, faults }, style) {
    const checked =
      `${log.events} events of ${log.runs} runs in the database, ` +
      `${files.lines} lines in ${files.files} audit files`;
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

async function checkLog(context: CliContext, only: RunId | undefined): Promise<LogReport> {
  const store = await context.parts.openStore(context.root);
  try {
    const reader = toRunReader(store, context.clock);
    const run = only === undefined ? undefined : await getRun(reader, only);
    if (store === undefined) return { runs: 0, events: 0, faults: [] };
    return await verifyLog(store, {
      ...(run === undefined ? {} : { only: run }),
      onProgress({ runs, events }) {
        if (runs % PROGRESS_EVERY_RUNS === 0) {
          context.live.progress(`checked ${events} events of ${runs} runs …`);
        }
      },
    });
  } finally {
    await store?.close();
  }
}

function describeFault({ where, runId, seq, reason, file, line }: Fault): string {
  const place = where === 'database' ? 'in the database' : `in ${file}:${line}`;
  const event = seq === undefined ? 'a line' : `event ${seq} of ${runId ?? 'an unknown run'}`;
  return `${event} ${place}: ${reason}`;
}

function encodeFault({ where, runId, seq, reason, file, line }: Fault): JsonObject {
  return {
    where,
    run_id: runId ?? null,
    seq: seq ?? null,
    reason,
    file: file ?? null,
    line: line ?? null,
  };
}
