import type { SealedDraft } from '../../../core/events/event.ts';
import { hashLink } from '../../../core/events/hash-chain.ts';
import { isJsonObject } from '../../../core/json.ts';
import type { Database } from '../driver.ts';
import { toJsonText } from '../json-text.ts';
import { getRow } from '../rows.ts';
import { createAddMessage } from '../sessions/message-writes.ts';
import type { WriteContext } from '../write-context.ts';
import { FIRST_PART_NO, PART_EVENTS } from './log-parts.ts';
import type { RunHead } from './run-heads.ts';

export type AddEvents = (head: RunHead, drafts: readonly SealedDraft[]) => void;

/**
 * Numbers, chains and stores events with the messages they carry, and moves the head. The caller has checked that it
 * may.
 */
export function createAddEvents(context: WriteContext): AddEvents {
  const { db } = context;
  const insert = db.prepare(`
    INSERT INTO events (part_no, seq, id, type, at_ms, actor, payload, redactions, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const setModel = db.prepare('UPDATE runs SET provider = ?, model = ? WHERE no = ?');
  const addMessage = createAddMessage(context);
  const toPart = createToPart(db);

  /** Nearly every turn asks the model of the turn before: then the row of the run stays as it is. */
  function noteModel(head: RunHead, payload: string): void {
    const asked = parseModel(payload);
    if (!asked) return;
    const name = JSON.stringify([asked.provider, asked.model]);
    if (name === head.model) return;
    setModel.run(toJsonText(asked.provider), toJsonText(asked.model), head.no);
    head.model = name;
  }

  return (head, drafts) => {
    const atMs = context.nowMs();
    for (const { id, type, actor, payload, redactions, message } of drafts) {
      const { id: runId, agentId, lastHash: prevHash, session } = head;
      const seq = head.lastSeq + 1;
      const link = { id, runId, agentId, seq, type, atMs, actor, payload, redactions, prevHash };
      const hash = hashLink(link);
      // Not `run`, which makes an object of counts for every row: a sixth of the insert.
      insert.get(toPart(head, seq), seq, id, type, atMs, actor, payload, redactions, hash);
      head.lastSeq = seq;
      head.lastHash = hash;
      if (message && session) addMessage({ ...session, position: seq, runId, message });
      if (type === 'model.requested') noteModel(head, payload);
    }
    context.touchRun(head.id, head.lastSeq);
  };
}

/** Answers the number of the part that the run's next event goes to, and begins a new one when it is full. */
export function createToPart(db: Database): (head: RunHead, seq: number) => number {
  const insert = db.prepare(`
    INSERT INTO log_parts (no, run_no, first_seq)
    VALUES (coalesce((SELECT max(no) + 1 FROM log_parts), ${FIRST_PART_NO}), ?, ?) RETURNING no`);
  // Of events that somebody has deleted at the end of the log.
  const removeLost = db.prepare('DELETE FROM log_parts WHERE run_no = ? AND first_seq >= ?');

  return (head, seq) => {
    if (seq - head.part.firstSeq < PART_EVENTS) return head.part.no;
    removeLost.run(head.no, seq);
    const { no } = getRow<{ no: number }>(insert, head.no, seq) ?? head.part;
    head.part = { no, firstSeq: seq };
    return no;
  };
}

function parseModel(payload: string): { provider: string; model: string } | undefined {
  const value: unknown = JSON.parse(payload);
  if (!isJsonObject(value)) return undefined;
  const { provider, model } = value;
  return typeof provider === 'string' && typeof model === 'string'
    ? { provider, model }
    : undefined;
}
