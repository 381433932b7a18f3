import type { SealedDraft } from '../../../core/events/event.ts';
import { isOpen, isTerminal } from '../../../core/runs/run.ts';
import type { AcceptResult, LeaseRef, NewFrame, RestResult } from '../../../core/runs/run-store.ts';
import { QUEUED } from '../agent-status.ts';
import { toJsonText } from '../json-text.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';
import { type CheckLease, isRefusal } from './check-lease.ts';
import type { AddEvents } from './event-writes.ts';
import { getHead, type RunHead } from './run-heads.ts';

/** What comes into a run from outside its lease. */
export function createAcceptFrame(context: WriteContext, addEvents: AddEvents) {
  const { db } = context;
  const select = db.prepare('SELECT digest FROM frames WHERE run_no = ? AND frame_id = ?');
  const selectCount = db.prepare('SELECT frames FROM runs WHERE no = ?');
  const insert = db.prepare(`
    INSERT INTO frames (run_no, frame_id, digest, seq, payload, at_ms) VALUES (?, ?, ?, ?, ?, ?)`);
  const count = db.prepare('UPDATE runs SET frames = frames + 1 WHERE no = ?');
  const call = db.prepare(`UPDATE runs SET ${QUEUED}, awaits_frames = 0 WHERE no = ?`);

  function refuse(head: RunHead, frame: NewFrame): AcceptResult | undefined {
    const known = getRow<{ digest: string }>(select, head.no, toJsonText(frame.frameId));
    if (known) return { outcome: known.digest === frame.digest ? 'replayed' : 'conflict' };
    const frames = getRow<{ frames: number }>(selectCount, head.no)?.frames ?? 0;
    if (frames >= frame.maxFrames) return { outcome: 'full' };
    return frame.needsReader && !isOpen(head.status)
      ? { outcome: 'closed', status: head.status }
      : undefined;
  }

  return (frame: NewFrame, draft: SealedDraft): AcceptResult => {
    const head = getHead(context.heads, frame.runId);
    const refused = refuse(head, frame);
    if (refused) return refused;
    const hasEnded = isTerminal(head.status);
    if (!hasEnded) addEvents(head, [draft]);
    const kept = hasEnded ? [null, draft.payload] : [head.lastSeq, null];
    insert.run(head.no, toJsonText(frame.frameId), frame.digest, ...kept, context.nowMs());
    count.run(head.no);
    if (head.awaitsFrames && !frame.isSilent) {
      call.run(head.no);
      context.heads.forget(head.id);
      context.touchQueue();
    }
    return { outcome: 'accepted', seq: hasEnded ? undefined : head.lastSeq };
  };
}

export type HasFrameAfter = (head: RunHead, seq: number) => boolean;

export function createHasFrameAfter({ db }: WriteContext): HasFrameAfter {
  const select = db.prepare('SELECT 1 FROM frames WHERE run_no = ? AND seq > ? LIMIT 1');
  return ({ no }, seq) => getRow(select, no, seq) !== undefined;
}

export interface RestParts {
  readonly checkLease: CheckLease;
  readonly addEvents: AddEvents;
}

export function createRestRun(context: WriteContext, { checkLease, addEvents }: RestParts) {
  const hasFrameAfter = createHasFrameAfter(context);
  const rest = context.db.prepare(`
    UPDATE runs SET
      status = 'waiting', parked = 1, awaits_frames = 1,
      lease_id = NULL, lease_owner = NULL, lease_expires_at_ms = NULL
    WHERE no = ?`);

  return (lease: LeaseRef, drafts: readonly SealedDraft[], framesThrough: number): RestResult => {
    const head = checkLease(lease);
    if (isRefusal(head)) return head;
    if (drafts.length > 0) addEvents(head, drafts);
    const { lastSeq } = head;
    if (head.status === 'cancelling') return { outcome: 'cancelling', lastSeq };
    if (hasFrameAfter(head, framesThrough)) return { outcome: 'has_frames', lastSeq };
    rest.run(head.no);
    context.heads.forget(head.id);
    // The next run of its session may start now.
    if (head.session) context.touchQueue();
    return { outcome: 'rested', lastSeq };
  };
}
