import { CHAIN_ROOT } from '../../../core/events/hash-chain.ts';
import type { AgentId, LeaseId, RunId } from '../../../core/ids.ts';
import type { RunStatus } from '../../../core/runs/run.ts';
import { runNotFound } from '../../../core/runs/run-not-found.ts';
import { decodeOwner } from '../../owner-column.ts';
import type { Database } from '../driver.ts';
import { getRow } from '../rows.ts';
import { type LogPart, newestPartOf } from './log-parts.ts';

export interface SessionPlace {
  readonly sessionNo: number;
  readonly exchange: number;
}

/** What an append needs to know of its run. */
export interface RunHead {
  readonly no: number;
  readonly id: RunId;
  readonly agentId: AgentId;
  readonly owner: string;
  readonly status: RunStatus;
  readonly leaseId: LeaseId | null;
  /** Whether it waits for nothing but its next frame. */
  readonly awaitsFrames: boolean;
  /** Its place in a session, when it has one. */
  readonly session: SessionPlace | undefined;
  /** The part of its log that is written to. */
  part: LogPart;
  lastSeq: number;
  lastHash: string;
  /** What its row says of its model, as far as that was written here. */
  model: string | undefined;
}

export interface RunHeads {
  find(runId: RunId): RunHead | undefined;
  add(head: RunHead): void;
  /** To be called by every write that changes a run's row. */
  forget(runId: RunId): void;
  /** To be called when heads may be wrong: after a rollback, or when somebody else has written. */
  clear(): void;
}

interface HeadRow extends Pick<RunHead, 'no' | 'agentId' | 'status' | 'leaseId'> {
  readonly awaitsFrames: number;
  readonly owner: string | null;
  readonly sessionNo: number | null;
  readonly exchange: number | null;
}

/** Some hundred bytes each. Runs beyond this many are read again when they write. */
const MAX_HEADS = 10_000;

/**
 * Heads of the runs that are writing, kept between batches. Reading a run's row and the end of its log before every
 * append costs a third of the append.
 */
export function createRunHeads(db: Database): RunHeads {
  const heads = new Map<RunId, RunHead>();
  const selectRun = db.prepare(`
    SELECT
      runs.no, runs.agent_id AS agentId, status, lease_id AS leaseId,
      awaits_frames AS awaitsFrames, runs.owner,
      sessions.no AS sessionNo, exchange
    FROM runs LEFT JOIN sessions ON sessions.id = runs.session_id WHERE runs.id = ?`);
  const selectPart = db.prepare(
    `SELECT no, first_seq AS firstSeq FROM log_parts WHERE no = ${newestPartOf('?')}`,
  );
  const selectEnd = db.prepare(
    'SELECT seq, hash FROM events WHERE part_no = ? ORDER BY seq DESC LIMIT 1',
  );

  function load(id: RunId): RunHead | undefined {
    const row = getRow<HeadRow>(selectRun, id);
    if (!row) return undefined;
    const { sessionNo, exchange, awaitsFrames, owner, ...run } = row;
    const part = getRow<LogPart>(selectPart, row.no, row.no) ?? { no: row.no, firstSeq: 1 };
    const end = getRow<{ seq: number; hash: string }>(selectEnd, part.no);
    return {
      ...run,
      id,
      owner: decodeOwner(owner),
      awaitsFrames: awaitsFrames === 1,
      session: sessionNo === null || exchange === null ? undefined : { sessionNo, exchange },
      part,
      lastSeq: end?.seq ?? 0,
      lastHash: end?.hash ?? CHAIN_ROOT,
      model: undefined,
    };
  }

  function add(head: RunHead): void {
    if (heads.size >= MAX_HEADS) heads.clear();
    heads.set(head.id, head);
  }

  return {
    add,

    find(runId) {
      const known = heads.get(runId);
      if (known) return known;
      const head = load(runId);
      if (head) add(head);
      return head;
    },

    forget: (runId) => void heads.delete(runId),
    clear: () => heads.clear(),
  };
}

export function getHead(heads: RunHeads, runId: RunId): RunHead {
  const head = heads.find(runId);
  if (!head) throw runNotFound(runId);
  return head;
}

type NewHead = Pick<RunHead, 'no' | 'id' | 'agentId' | 'owner' | 'session' | 'awaitsFrames'>;

export function newRunHead(known: NewHead): RunHead {
  const status = known.awaitsFrames ? 'waiting' : 'queued';
  const part = { no: known.no, firstSeq: 1 };
  return {
    ...{ ...known, status, leaseId: null, part },
    ...{ lastSeq: 0, lastHash: CHAIN_ROOT, model: undefined },
  };
}
