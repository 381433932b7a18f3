import { RuntimeError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../core/json.ts';
import type { RestoredRun, RunOrigin } from '../../../core/records/record-store.ts';
import { encodeForkPoint } from '../../fork-column.ts';
import { encodeOwner } from '../../owner-column.ts';
import type { Approvals } from '../effects/approval-writes.ts';
import { createLedger } from '../effects/effect-writes.ts';
import { toJsonText } from '../json-text.ts';
import type { WriteContext } from '../write-context.ts';
import { type AddEvents, createToPart } from './event-writes.ts';
import { newRunHead, type RunHead } from './run-heads.ts';
import { createEndRun } from './run-writes.ts';

export interface RestoreParts {
  readonly addEvents: AddEvents;
  readonly approvals: Approvals;
}

/** Events come back as they were, with their times and hashes; only a closing one is new. */
export function createRestoreRun(
  context: WriteContext,
  { addEvents, approvals }: RestoreParts,
): (run: RestoredRun) => void {
  const insertRow = createInsertRow(context);
  const insert = context.db.prepare(`
    INSERT INTO events (part_no, seq, id, type, at_ms, actor, payload, redactions, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const toPart = createToPart(context.db);
  const setEnd = context.db.prepare('UPDATE runs SET ended_at_ms = ? WHERE no = ?');
  const setModel = context.db.prepare('UPDATE runs SET provider = ?, model = ? WHERE no = ?');
  const endRun = createEndRun(context);
  const ledger = createLedger(context);

  return (run) => {
    const { events, after, closing, origin } = run;
    const head = context.heads.find(run.runId) ?? (origin && insertRow(run, origin));
    if (!head || head.lastSeq !== after.seq || head.lastHash !== after.hash) {
      throw new RuntimeError('conflict', `run ${run.runId} has other events in the database`);
    }
    for (const { seq, id, type, atMs, actor, payload, redactions, hash } of events) {
      const texts = [canonicalJson(payload), canonicalJson(redactions), hash];
      insert.run(toPart(head, seq), seq, id, type, atMs, actor, ...texts);
      head.lastSeq = seq;
      head.lastHash = hash;
    }
    const asked = events.findLast(({ type }) => type === 'model.requested')?.payload;
    const { provider, model } = asked ?? {};
    if (typeof provider === 'string' && typeof model === 'string') {
      setModel.run(toJsonText(provider), toJsonText(model), head.no);
    }
    if (closing) addEvents(head, [closing]);
    ledger.closeOpen(head);
    approvals.withdraw(head);
    endRun(head, run.end);
    const last = events.at(-1);
    if (!closing && last) setEnd.run(last.atMs, head.no);
    context.touchRun(run.runId, head.lastSeq);
  };
}

function createInsertRow(context: WriteContext) {
  const { db } = context;
  const insertRun = db.prepare(`
    INSERT INTO runs (
      id, agent_id, session_id, project_id, source, status,
      thread_id, owner, stays_open, forked_from, created_at_ms, started_at_ms
    ) VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?)`);
  const insertText = db.prepare('INSERT INTO run_texts (run_no, message) VALUES (?, ?)');
  // A request that was repeated meanwhile has a run of its own by now, which keeps the key.
  const insertKey = db.prepare(
    'INSERT OR IGNORE INTO idempotency_keys (key, digest, run_no, created_at_ms) VALUES (?, ?, ?, ?)',
  );

  return ({ runId: id, agentId }: RestoredRun, origin: RunOrigin): RunHead => {
    const { thread, idempotency, createdAtMs } = origin;
    const owned = [toJsonText(thread?.id), encodeOwner(origin.owner), thread?.staysOpen ? 1 : 0];
    const inserted = insertRun.run(
      ...[id, agentId, origin.sessionId ?? null, origin.projectId ?? null, origin.source],
      ...owned,
      ...[encodeForkPoint(origin.forkedFrom), createdAtMs, origin.startedAtMs ?? null],
    );
    const no = Number(inserted.lastInsertRowid);
    insertText.run(no, JSON.stringify(origin.message));
    if (idempotency) {
      insertKey.run(toJsonText(idempotency.key), idempotency.digest, no, createdAtMs);
    }
    const { owner } = origin;
    return newRunHead({ no, id, agentId, owner, session: undefined, awaitsFrames: false });
  };
}
