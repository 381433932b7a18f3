import { clampLimit } from '../../../core/clamp-limit.ts';
import { CHAIN_ROOT } from '../../../core/events/hash-chain.ts';
import type { AgentId, RunId } from '../../../core/ids.ts';
import type { HeadPage, LogHead, RowTexts } from '../../../core/records/record-store.ts';
import type { Database } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';
import { newestPartOf } from './log-parts.ts';

/** A page is read on the event loop in one go. */
const MAX_PAGE_HEADS = 500;

/** Texts may have been deleted apart from their row, which must be listed all the same. */
const SELECT_HEAD = `
  SELECT
    runs.id, agent_id, status, final_seq, final_hash, floor_seq, floor_hash, recorded, audited_seq,
    coalesce((SELECT max(seq) FROM events WHERE part_no = ${newestPartOf('runs.no')}), 0) AS last_seq,
    (SELECT hash FROM events WHERE part_no = ${newestPartOf('runs.no')} ORDER BY seq DESC LIMIT 1) AS last_hash,
    ended_at_ms, run_texts.message, run_texts.output
  FROM runs LEFT JOIN run_texts ON run_texts.run_no = runs.no`;

interface HeadRow {
  readonly id: RunId;
  readonly agent_id: AgentId;
  readonly status: string;
  readonly final_seq: number | null;
  readonly final_hash: string | null;
  readonly floor_seq: number;
  readonly floor_hash: string | null;
  readonly recorded: number;
  readonly audited_seq: number;
  readonly last_seq: number;
  readonly last_hash: string | null;
  readonly ended_at_ms: number | null;
  readonly message: string | null;
  readonly output: string | null;
}

export function createRecordReads(db: Database) {
  const selectOne = db.prepare(`${SELECT_HEAD} WHERE runs.id = ?`);
  const selectFirst = db.prepare(`${SELECT_HEAD} ORDER BY runs.id DESC LIMIT ?`);
  const selectNext = db.prepare(`${SELECT_HEAD} WHERE runs.id < ? ORDER BY runs.id DESC LIMIT ?`);

  return {
    findHead(runId: RunId): LogHead | undefined {
      const row = getRow<HeadRow>(selectOne, runId);
      return row && toHead(row);
    },

    listHeads({ limit, before }: HeadPage): LogHead[] {
      const size = clampLimit(limit, MAX_PAGE_HEADS);
      const rows =
        before === undefined
          ? allRows<HeadRow>(selectFirst, size)
          : allRows<HeadRow>(selectNext, before, size);
      return rows.map(toHead);
    },
  };
}

function toHead(row: HeadRow): LogHead {
  const { final_seq: seq, final_hash: hash } = row;
  return {
    runId: row.id,
    agentId: row.agent_id,
    status: row.status,
    end: seq === null ? undefined : { seq, hash: hash ?? '' },
    lastSeq: row.last_seq,
    last: { seq: row.last_seq, hash: row.last_hash ?? CHAIN_ROOT },
    hasEnded: row.ended_at_ms !== null,
    floor: { seq: row.floor_seq, hash: row.floor_hash ?? CHAIN_ROOT },
    // One state root has one database: nobody else could record its runs.
    recorder: undefined,
    isRecorded: row.recorded === 1,
    auditedSeq: row.audited_seq,
    texts: parseTexts(row),
  };
}

function parseTexts({ message, output }: HeadRow): RowTexts | 'unreadable' {
  try {
    if (message === null) return 'unreadable';
    return {
      message: JSON.parse(message) as string,
      output: output === null ? undefined : (JSON.parse(output) as string),
    };
  } catch {
    return 'unreadable';
  }
}
