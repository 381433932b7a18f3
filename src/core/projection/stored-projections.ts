import { clampLimit } from '../clamp-limit.ts';
import { patch, put } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, defineWrite } from '../store/write.ts';
import type { EntityPosition } from './projection-source.ts';
import type { Checkpoint, NewCheckpoint, ProjectionStore, SinkReport } from './projection-store.ts';

export const CHECKPOINTS = collection<Checkpoint>()('projections', 'projection', 'id');
export const WORKER_POSITIONS = query<{ after: string; limit: number }, EntityPosition>(
  'worker_positions',
);

/** One row: who writes to the sink, until when, and how that goes. */
interface WriterRow extends SinkReport {
  readonly no: number;
  readonly owner: string;
  readonly expiresAtMs: number;
  readonly failedAtMs: number | undefined;
}

export const PROJECTION_WRITER = collection<WriterRow>()('projection_writer', 'no');
/** With the store's word on whether its lease still runs. */
export const WRITER_HEALTH = query<
  Record<never, never>,
  Omit<WriterRow, 'no' | 'expiresAtMs'> & { isHeld: boolean }
>('writer_health');
const THE_WRITER = { no: 1 };
const NOBODY: WriterRow = {
  ...THE_WRITER,
  owner: '',
  expiresAtMs: 0,
  failures: 0,
  error: undefined,
  failedAtMs: undefined,
};

/** A page is read in one go, and each checkpoint carries a fold. */
const MAX_PAGE_PROJECTIONS = 500;

const putCheckpoint = defineWrite({
  name: 'projections.put',
  locks: ({ checkpoint: { projection, id } }: CheckpointChange) => [
    `projection ${JSON.stringify([projection, id])}`,
  ],
  needs: ({ checkpoint: { projection, id } }) => ({ known: find(CHECKPOINTS, { projection, id }) }),
  decide({ known }, { checkpoint, expectedRevision }) {
    if ((known?.revision ?? 0) !== expectedRevision) return answer(false);
    const row = { ...checkpoint, revision: expectedRevision + 1 };
    return { value: true, changes: [put(CHECKPOINTS, row)] };
  },
});

interface CheckpointChange {
  readonly checkpoint: NewCheckpoint;
  readonly expectedRevision: number;
}

const locks = () => ['projection_writer'];

const holdWriter = defineWrite({
  name: 'projections.hold_writer',
  locks,
  needs: (_: { owner: string; leaseMs: number }) => ({
    writer: find(PROJECTION_WRITER, THE_WRITER),
  }),
  decide({ writer = NOBODY }, { owner, leaseMs }, nowMs) {
    const isFree = writer.owner === owner || writer.expiresAtMs <= nowMs;
    if (!isFree) return answer(false);
    // Whole: a place that is only said to be held, with no row for it, would be given to everybody.
    const held = put(PROJECTION_WRITER, { ...writer, owner, expiresAtMs: nowMs + leaseMs });
    return { value: true, changes: [held] };
  },
});

const releaseWriter = defineWrite({
  name: 'projections.release_writer',
  locks,
  needs: (_owner: string) => ({ writer: find(PROJECTION_WRITER, THE_WRITER) }),
  decide({ writer }, owner) {
    if (writer?.owner !== owner) return answer(undefined);
    const released = patch(PROJECTION_WRITER, THE_WRITER, { expiresAtMs: 0 });
    return { value: undefined, changes: [released] };
  },
});

const reportHealth = defineWrite({
  name: 'projections.report_health',
  locks,
  needs: (_report: SinkReport) => ({}),
  decide(_found, { failures, error }, nowMs) {
    const failed = failures > 0 ? { failedAtMs: nowMs } : {};
    const report = patch(PROJECTION_WRITER, THE_WRITER, { failures, error, ...failed });
    return { value: undefined, changes: [report] };
  },
});

export const PROJECTION_WRITES = { putCheckpoint, holdWriter, releaseWriter, reportHealth };

export function createProjectionStore({ load, write }: Tables): ProjectionStore {
  return {
    find: ({ projection, id }) => load(find(CHECKPOINTS, { projection, id })),

    async findMany(projection, ids) {
      const limit = MAX_PAGE_PROJECTIONS;
      const page = { of: { projection }, among: ids.slice(0, limit), limit };
      return load(list(CHECKPOINTS, page));
    },

    put: (checkpoint, expectedRevision) => write(putCheckpoint, { checkpoint, expectedRevision }),

    async listOpen({ projection, after, limit }) {
      const of = { projection, isOpen: true };
      const size = clampLimit(limit, MAX_PAGE_PROJECTIONS);
      return load(list(CHECKPOINTS, { of, after, limit: size }));
    },

    async listWorkers({ after = '', limit }) {
      const size = clampLimit(limit, MAX_PAGE_PROJECTIONS);
      return load(ask(WORKER_POSITIONS, { after, limit: size }));
    },

    holdWriter: (owner, leaseMs) => write(holdWriter, { owner, leaseMs }),
    releaseWriter: (owner) => write(releaseWriter, owner),
    reportHealth: (report) => write(reportHealth, report),

    async readHealth() {
      const [health] = await load(ask(WRITER_HEALTH, {}));
      return {
        failures: health?.failures ?? 0,
        error: health?.error,
        failedAtMs: health?.failedAtMs,
        writer: health?.isHeld ? health.owner : undefined,
      };
    },
  };
}
