import type {
  RebuildReport,
  RebuildRequest,
} from '../../../../core/projection/rebuild-projection.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { naming, parseError } from '../../program/errors.ts';
import { parseRunId } from '../runs/run-id-argument.ts';
import { withProjection } from './open-projection.ts';

const COMMAND = 'projection rebuild';
const MAX_SHOWN = 20;
const MAX_TEXT_CHARS = 300;
const PROGRESS_EVERY = 50;
const WORKER_ID = /^[A-Za-z0-9._:-]{3,160}$/;

export const projectionRebuild = defineCommand({
  usage: '--run RUN | --worker WORKER | --all',
  description:
    'Forgets how far a run, a worker or everything was projected, makes the summaries again from the log and writes\n' +
    'them to the sink. Says where what was written before did not fit the log. With a running server or without one.',
  args: { min: 0, max: 0 },
  options: {
    run: { kind: 'text', value: 'RUN', summary: 'only this run' },
    worker: { kind: 'text', value: 'WORKER', summary: 'only this worker' },
    all: { kind: 'flag', summary: 'every run and every worker' },
  },
  examples: ['claw projection rebuild --all', 'claw projection rebuild --run run_01jv8z4q0k6c'],
  handlesInterrupt: true,
  async run({ options }, context): Promise<RebuildReport> {
    const { request, wanted } = parseRequest(options);
    return withProjection(context, (projection) =>
      naming(
        wanted,
        projection.rebuild(request, {
          signal: context.signal,
          onProgress(done) {
            if (done % PROGRESS_EVERY === 0) context.live.progress(`${done} documents …`);
          },
        }),
      ),
    );
  },
  fields: ({ written, drifted, failed, isComplete, drifts, failures }) => ({
    written,
    drifted,
    failed,
    complete: isComplete,
    drifts: drifts.map(({ documentId, drift }) => ({ document_id: documentId, drift })),
    failures: failures.map(({ documentId, message }) => ({ document_id: documentId, message })),
  }),
  text({ written, drifted, drifts, failures }, style) {
    const count = written === 1 ? '1 document is' : `${written} documents are`;
    const drift =
      drifted === 0 ? 'all of them fit the log before' : `${drifted} did not fit the log`;
    return [
      `${count} written again${written === 0 ? '' : `; ${drift}`}`,
      ...drifts
        .slice(0, MAX_SHOWN)
        .map((one) => `${style.yellow(one.drift)}  ${toOneLine(one.documentId, MAX_TEXT_CHARS)}`),
      ...failures
        .slice(0, MAX_SHOWN)
        .map((one) => toOneLine(`${one.documentId}: ${one.message}`, MAX_TEXT_CHARS)),
    ].join('\n');
  },
  failure({ written, failed, isComplete, failures }) {
    if (failed === 0 && isComplete) return undefined;
    const first = failures[0];
    const reason = first === undefined ? 'it was stopped' : first.message;
    return {
      exitCode: 1,
      error: {
        kind: 'delivery',
        operation: 'write_projection',
        target: first?.documentId ?? COMMAND,
        retryable: true,
        message: `${written} documents were written and ${failed} were not: ${reason}`,
        hint: 'look at the sink, then run it again: what is written stays written',
      },
    };
  },
});

interface Wanted {
  readonly request: RebuildRequest;
  readonly wanted: { readonly thing: string; readonly name: string; readonly hint: string };
}

function parseRequest(options: {
  run?: string | undefined;
  worker?: string | undefined;
  all: boolean;
}): Wanted {
  const { run, worker, all } = options;
  const given = [run, worker, all || undefined].filter((option) => option !== undefined);
  if (given.length !== 1) {
    throw parseError('say what to rebuild: one of --run, --worker and --all', { target: COMMAND });
  }
  if (run !== undefined) {
    const id = parseRunId(run, COMMAND);
    const hint = 'claw runs list shows the runs there are';
    return { request: { projection: 'run_summary', id }, wanted: { thing: 'run', name: id, hint } };
  }
  if (worker === undefined) {
    return { request: 'everything', wanted: { thing: '', name: '', hint: '' } };
  }
  if (!WORKER_ID.test(worker)) {
    const shown = JSON.stringify(worker.slice(0, 170));
    throw parseError(`${shown} is not a worker id`, { target: COMMAND });
  }
  const hint = 'GET /internal/v1/codex/workers lists the workers of a principal';
  return {
    request: { projection: 'codex_worker_summary', id: worker },
    wanted: { thing: 'worker', name: worker, hint },
  };
}
