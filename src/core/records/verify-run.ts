import { toRuntimeError } from '../errors.ts';
import { type Event, isTerminalEvent } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { CHAIN_START, type ChainPosition, verifyChain } from '../events/hash-chain.ts';
import { isStaleCursor } from '../events/stale-cursor.ts';
import { isTerminal, RUN_STATUSES, type RunStatus } from '../runs/run.ts';
import type { LogHead } from './record-store.ts';

export const EVENTS_PER_PAGE = 500;

export type LogFaultReason =
  | 'seq_gap'
  | 'prev_hash_mismatch'
  | 'hash_mismatch'
  | 'missing_events'
  | 'unreadable'
  /** Its row says another status than its last event. */
  | 'status_mismatch'
  /** Its row says another end, message or answer than its events. */
  | 'row_mismatch'
  /** The log goes on behind its terminal event. */
  | 'event_after_end';

interface RunFaultFound {
  /** The first event at fault. */
  readonly seq: number;
  readonly reason: LogFaultReason;
}

export interface RunVerdict {
  /** Events whose hashes were recomputed. */
  readonly checked: number;
  readonly isPruned: boolean;
  readonly fault: RunFaultFound | undefined;
  /** The hash that the log has where it was asked for; undefined when it was not reached. */
  readonly hashThere: string | undefined;
  readonly isComplete: boolean;
}

export interface VerifyRunOptions {
  /** Where somebody else wants to compare hashes. */
  readonly compareAt: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Recomputes the chain of one run up to where its row said when it was read, and holds the row against its events. */
export async function verifyRun(
  log: EventLog,
  head: LogHead,
  { compareAt, signal }: VerifyRunOptions,
): Promise<RunVerdict> {
  const walk = { checked: 0, isPruned: false, hashThere: undefined as string | undefined };
  const end = (fault?: RunFaultFound): RunVerdict => ({ ...walk, fault, isComplete: true });
  // A live run goes on and can wait for the next check.
  const endSeq = head.end?.seq ?? head.lastSeq;
  if (endSeq === 0) return end({ seq: 1, reason: 'missing_events' });
  let at: ChainPosition = CHAIN_START;
  let first: Event | undefined;
  let last: Event | undefined;
  while (at.seq < endSeq) {
    if (signal?.aborted) return { ...walk, fault: undefined, isComplete: false };
    const page = await readPage(log, head, at.seq);
    if (page === 'stale') {
      walk.isPruned = true;
      at = await log.anchor(head.runId);
      if (at.seq === compareAt) walk.hashThere = at.hash;
      continue;
    }
    if (page === 'unreadable') return end({ seq: at.seq + 1, reason: 'unreadable' });
    if (page.length === 0) return end({ seq: at.seq + 1, reason: 'missing_events' });
    const events = page.filter(({ seq }) => seq <= endSeq);
    const verdict = verifyChain(events, at);
    walk.checked += (verdict.ok ? verdict.last.seq : verdict.seq - 1) - at.seq;
    if (!verdict.ok) return end({ seq: verdict.seq, reason: verdict.reason });
    if (last && isTerminalEvent(last)) return end({ seq: last.seq + 1, reason: 'event_after_end' });
    const tooLate = findEventAfterEnd(events);
    if (tooLate !== undefined) return end({ seq: tooLate, reason: 'event_after_end' });
    walk.hashThere ??= events.find(({ seq }) => seq === compareAt)?.hash;
    at = verdict.last;
    first ??= events[0];
    last = events.at(-1);
  }
  return end(compareRow(head, { first, last }));
}

function findEventAfterEnd(events: readonly Event[]): number | undefined {
  const index = events.findIndex(isTerminalEvent);
  return index === -1 ? undefined : events[index + 1]?.seq;
}

interface Ends {
  readonly first: Event | undefined;
  readonly last: Event | undefined;
}

function compareRow(head: LogHead, { first, last }: Ends): RunFaultFound | undefined {
  if (last === undefined) return { seq: head.floor.seq, reason: 'row_mismatch' };
  const { seq } = last;
  const isEnd = isTerminalEvent(last);
  const expected = isEnd ? last.type.slice('run.'.length) : undefined;
  if (isEnd ? head.status !== expected : isEndStatus(head.status)) {
    return { seq, reason: 'status_mismatch' };
  }
  if (head.end && head.end.hash !== last.hash) return { seq, reason: 'row_mismatch' };
  if (isEnd && head.end === undefined) return { seq, reason: 'row_mismatch' };
  if (head.lastSeq > seq) return { seq: seq + 1, reason: 'row_mismatch' };
  // Only what is recorded loses its beginning.
  if (head.floor.seq > 0 && !head.isRecorded) return { seq: 1, reason: 'missing_events' };
  if (head.texts === 'unreadable') return { seq, reason: 'unreadable' };
  const { message, output } = head.texts;
  if (first?.seq === 1 && differs(first, 'message', message)) {
    return { seq: 1, reason: 'row_mismatch' };
  }
  const isOther = isEnd && output !== undefined && differs(last, 'output', output);
  return isOther ? { seq, reason: 'row_mismatch' } : undefined;
}

/** A member that redaction changed may read otherwise in the row. */
function differs({ payload, redactions }: Event, member: string, text: string): boolean {
  const told = payload[member];
  return typeof told === 'string' && told !== text && !redactions.includes(`payload.${member}`);
}

function isEndStatus(status: string): boolean {
  return RUN_STATUSES.includes(status as RunStatus) && isTerminal(status as RunStatus);
}

async function readPage(
  log: EventLog,
  { runId }: LogHead,
  after: number,
): Promise<Event[] | 'stale' | 'unreadable'> {
  try {
    return await log.read(runId, { after, limit: EVENTS_PER_PAGE });
  } catch (thrown) {
    if (isStaleCursor(thrown)) return 'stale';
    // A payload that is no JSON any more can't be decoded; a store that is gone is another matter.
    if (isGone(thrown)) throw thrown;
    return 'unreadable';
  }
}

/** Whether the store as a whole does not answer. Damage is met by some reads and not by others. */
export function isGone(thrown: unknown): boolean {
  const { code, details } = toRuntimeError(thrown);
  return code === 'storage_unavailable' && details?.['damaged'] !== true;
}
