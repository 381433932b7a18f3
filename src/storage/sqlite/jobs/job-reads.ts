import { clampLimit } from '../../../core/clamp-limit.ts';
import { RuntimeError } from '../../../core/errors.ts';
import type { JobId } from '../../../core/ids.ts';
import type { FiredSlot, Job } from '../../../core/schedule/job.ts';
import type {
  DueJobs,
  FiringFilter,
  FiringPage,
  JobFilter,
  JobPage,
  JobSummary,
  UnsettledFiring,
} from '../../../core/schedule/job-store.ts';
import { MAX_PAGE_FIRINGS, MAX_PAGE_JOBS } from '../../job-rules.ts';
import { encodeOwner } from '../../owner-column.ts';
import type { Database, Statement } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';
import { type RunRow, SELECT_RUN, toRun } from '../runs/run-row.ts';
import {
  type FiringRow,
  type JobRow,
  SELECT_FIRING,
  SELECT_JOB,
  toFiring,
  toJob,
} from './job-row.ts';

export function createJobReads(db: Database, nowMs: () => number) {
  const select = db.prepare(`${SELECT_JOB} WHERE id = ?`);
  const selectPaused = db.prepare('SELECT is_paused FROM scheduler_state');
  const isPaused = () => getRow<{ is_paused: number }>(selectPaused)?.is_paused === 1;

  return {
    find(id: JobId): Job | undefined {
      const row = getRow<JobRow>(select, id);
      return row && toJob(row);
    },

    isPaused,
    list: createList(db),
    listDue: createListDue(db, nowMs),
    listFirings: createListFirings(db),
    listLastFired: createListLastFired(db),
    listUnsettled: createListUnsettled(db),
    summarize: createSummarize(db),
  };
}

function createList(db: Database) {
  const prepare = (term: string) =>
    db.prepare(`${SELECT_JOB} WHERE ${term} id > ? ORDER BY id LIMIT ?`);
  const selectAll = prepare('');
  const selectByAgent = prepare('agent_id = ? AND');
  const selectByOwner = prepare('owner = ? AND');
  const selectByBoth = prepare('owner = ? AND agent_id = ? AND');

  function choose(hasOwner: boolean, hasAgent: boolean): Statement {
    if (hasOwner) return hasAgent ? selectByBoth : selectByOwner;
    return hasAgent ? selectByAgent : selectAll;
  }

  return ({ agentId, owner, after = '' as JobId, limit }: JobFilter): JobPage => {
    const size = clampLimit(limit, MAX_PAGE_JOBS);
    // One more than asked for tells whether there is a next page.
    const statement = choose(owner !== undefined, agentId !== undefined);
    const filters = [
      ...(owner === undefined ? [] : [encodeOwner(owner)]),
      ...(agentId === undefined ? [] : [agentId]),
    ];
    const rows = allRows<JobRow>(statement, ...filters, after, size + 1);
    const jobs = rows.slice(0, size).map(toJob);
    return { jobs, next: rows.length > size ? jobs.at(-1)?.id : undefined };
  };
}

/** Without a job in it when none is due. */
type DueRow = { readonly is_paused: number; readonly upcoming_slot_ms: number | null } & (
  | JobRow
  | { readonly id: null }
);

function createListDue(db: Database, nowMs: () => number) {
  // One look at everything: a job that moves on meanwhile is either due or counts for the next slot.
  const select = db.prepare(`
    WITH due AS (
      ${SELECT_JOB} WHERE is_enabled = 1 AND next_slot_ms <= ?1 ORDER BY next_slot_ms, id LIMIT ?2
    )
    SELECT due.*, is_paused, (
      SELECT min(next_slot_ms) FROM jobs WHERE is_enabled = 1 AND next_slot_ms > ?1
    ) AS upcoming_slot_ms
    FROM scheduler_state LEFT JOIN due ORDER BY due.next_slot_ms, due.id`);

  return (limit: number): DueJobs => {
    const now = nowMs();
    const rows = allRows<DueRow>(select, now, clampLimit(limit, MAX_PAGE_JOBS));
    const [first] = rows;
    if (!first) throw lostState();
    return {
      nowMs: now,
      isPaused: first.is_paused === 1,
      jobs: rows.flatMap((row) => (row.id === null ? [] : [toJob(row)])),
      nextSlotMs: first.upcoming_slot_ms ?? undefined,
    };
  };
}

function createListFirings(db: Database) {
  const ORDER = 'ORDER BY job_firings.no DESC LIMIT ?';
  const selectNewest = db.prepare(`${SELECT_FIRING} WHERE job_firings.job_id = ? ${ORDER}`);
  const selectBefore = db.prepare(
    `${SELECT_FIRING} WHERE job_firings.job_id = ? AND job_firings.no < ? ${ORDER}`,
  );

  return ({ jobId, before, limit }: FiringFilter): FiringPage => {
    const size = clampLimit(limit, MAX_PAGE_FIRINGS);
    const rows =
      before === undefined
        ? allRows<FiringRow>(selectNewest, jobId, size + 1)
        : allRows<FiringRow>(selectBefore, jobId, before, size + 1);
    const page = rows.slice(0, size);
    return {
      firings: page.map(toFiring),
      next: rows.length > size ? page.at(-1)?.no : undefined,
    };
  };
}

function createListLastFired(db: Database) {
  const select = db.prepare(`
    ${SELECT_FIRING} WHERE job_firings.job_id = ? AND run_no IS NOT NULL
    ORDER BY job_firings.no DESC LIMIT 1`);

  return (ids: readonly JobId[]): FiredSlot[] =>
    ids.slice(0, MAX_PAGE_JOBS).flatMap((id) => {
      const row = getRow<FiringRow>(select, id);
      const firing = row && toFiring(row);
      return firing?.outcome === 'fired' ? [firing] : [];
    });
}

interface SummaryRow {
  readonly is_paused: number;
  readonly jobs: number;
  readonly id: JobId | null;
  readonly next_slot_ms: number | null;
}

function createSummarize(db: Database) {
  const select = db.prepare(`
    SELECT is_paused, (SELECT count(*) FROM jobs) AS jobs, due.id, due.next_slot_ms
    FROM scheduler_state LEFT JOIN (
      SELECT id, next_slot_ms FROM jobs
      WHERE is_enabled = 1 AND next_slot_ms IS NOT NULL ORDER BY next_slot_ms, id LIMIT 1
    ) AS due`);

  return (): JobSummary => {
    const row = getRow<SummaryRow>(select);
    if (!row) throw lostState();
    const { is_paused, jobs, id, next_slot_ms } = row;
    return {
      isPaused: is_paused === 1,
      jobCount: jobs,
      next: id === null || next_slot_ms === null ? undefined : { jobId: id, slotMs: next_slot_ms },
    };
  };
}

function createListUnsettled(db: Database) {
  // Few are unsettled: those whose run is open, and those that ended a moment ago.
  const select = db.prepare(`
    SELECT job_firings.job_id AS jobId, first_slot_ms AS slotMs, runs.no AS runNo
    FROM job_firings JOIN runs ON runs.no = job_firings.run_no
    WHERE settled = 0 AND runs.ended_at_ms IS NOT NULL
    ORDER BY job_firings.no LIMIT ?`);
  const selectJob = db.prepare(`${SELECT_JOB} WHERE id = ?`);
  const selectRun = db.prepare(`${SELECT_RUN} WHERE runs.no = ?`);

  return (limit: number): UnsettledFiring[] => {
    const rows = allRows<{ jobId: JobId; slotMs: number; runNo: number }>(
      select,
      clampLimit(limit, MAX_PAGE_FIRINGS),
    );
    return rows.flatMap(({ jobId, slotMs, runNo }) => {
      const job = getRow<JobRow>(selectJob, jobId);
      const run = getRow<RunRow>(selectRun, runNo);
      // Removed between the two statements, by another process or the writer's thread.
      if (!job || !run) return [];
      return [{ jobId, slotMs, runId: run.id, job: toJob(job), run: toRun(run) }];
    });
  };
}

function lostState(): RuntimeError {
  return new RuntimeError('internal', 'the scheduler has lost its state');
}
