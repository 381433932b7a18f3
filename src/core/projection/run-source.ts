import type { EventLog, Wakeups } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { isTerminal, type Run } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';
import { foldLog } from './fold-log.ts';
import type { Fold, ProjectionSource, ProjectionSubject } from './projection-source.ts';
import { applyRunEvent, RUN_FOLD_START, runFoldSchema, toRunSummary } from './run-summary.ts';

export interface RunSourceDeps {
  readonly runs: Pick<RunStore, 'find' | 'list'>;
  readonly events: Pick<EventLog, 'read' | 'floor'>;
  readonly wakeups: Pick<Wakeups, 'watchRuns'>;
}

export function createRunSource({ runs, events, wakeups }: RunSourceDeps): ProjectionSource {
  function toSubject(run: Run): ProjectionSubject {
    return {
      id: run.id,
      latestSeq: run.lastSeq,
      createdAtMs: run.createdAtMs,
      isOpen: !isTerminal(run.status),
      fold: (from, throughSeq) => foldRun(run, from, throughSeq),
    };
  }

  async function foldRun(
    run: Run,
    from: JsonObject | undefined,
    throughSeq: number,
  ): Promise<Fold> {
    const known = from === undefined ? RUN_FOLD_START : runFoldSchema.parse(from);
    const floor = await events.floor(run.id);
    const state = await foldLog({
      // Between what is known and what is left events are gone: only what is left can be told.
      from: known.seq < floor ? { ...RUN_FOLD_START, seq: floor } : known,
      throughSeq,
      read: (page) => events.read(run.id, page),
      apply: applyRunEvent,
    });
    const { seq, firstSeq } = state;
    return { seq, firstSeq, state, summary: toRunSummary(run, state) };
  }

  return {
    projection: 'run_summary',
    isNewestFirst: true,

    async find(id) {
      const run = await runs.find(id as RunId);
      return run && toSubject(run);
    },

    async list({ after, limit }) {
      const page = await runs.list({
        limit,
        ...(after !== undefined && { before: after as RunId }),
      });
      return { positions: page.runs.map(toSubject), next: page.next };
    },

    watch: (listener) => wakeups.watchRuns(listener),
  };
}
