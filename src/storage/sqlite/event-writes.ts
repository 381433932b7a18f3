import type { SealedDraft } from '../../core/events/event.ts';
import { hashLink } from '../../core/events/hash-chain.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import { isJsonObject } from '../../core/json.ts';
import type { WriteContext } from './write-context.ts';

/** Where a run's log ends: what the next event is numbered and chained by. */
export interface LogEnd {
  readonly no: number;
  readonly id: RunId;
  readonly agent_id: AgentId;
  readonly last_seq: number;
  readonly last_hash: string;
}

export type AddEvents = (end: LogEnd, drafts: readonly SealedDraft[]) => LogEnd;

/** Numbers, chains and stores events, and moves the run's end. The caller has checked that it may. */
export function createAddEvents(context: WriteContext): AddEvents {
  const { db } = context;
  const insert = db.prepare(`
    INSERT INTO events (run_no, seq, id, type, at_ms, actor, payload, redactions, prev_hash, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const moveEnd = db.prepare(
    'UPDATE runs SET last_seq = ?, last_hash = ?, updated_at_ms = ? WHERE no = ?',
  );
  const setModel = db.prepare('UPDATE runs SET provider = ?, model = ? WHERE no = ?');

  return (end, drafts) => {
    const atMs = context.nowMs();
    let seq = end.last_seq;
    let prevHash = end.last_hash;
    for (const draft of drafts) {
      seq += 1;
      const { id, type, actor, payload, redactions } = draft;
      const link = { id, type, actor, payload, redactions, seq, atMs, prevHash };
      const hash = hashLink({ ...link, runId: end.id, agentId: end.agent_id });
      insert.run(end.no, seq, id, type, atMs, actor, payload, redactions, prevHash, hash);
      prevHash = hash;
      if (type === 'model.requested') {
        const asked = parseModel(payload);
        if (asked) setModel.run(asked.provider, asked.model, end.no);
      }
    }
    moveEnd.run(seq, prevHash, atMs, end.no);
    context.touchRun(end.id);
    return { ...end, last_seq: seq, last_hash: prevHash };
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
