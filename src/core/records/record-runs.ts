import { type Event, isTerminalEvent } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { isStaleCursor } from '../events/stale-cursor.ts';
import type { AgentId, RunId } from '../ids.ts';
import { encodeAuditLine } from './audit-line.ts';
import { inParallel } from './in-parallel.ts';
import type { RecordCursor, RecordCursors } from './record-cursors.ts';
import type { RecordSink } from './record-sink.ts';

const EVENTS_PER_PASS = 64;
const PARALLEL_READS = 8;

export interface RecordRunsDeps {
  readonly events: EventLog;
  readonly sink: RecordSink;
  readonly cursors: RecordCursors;
}

export interface RecordPass {
  /** Runs to look at again: they have more events than one pass takes. */
  readonly again: readonly RunId[];
  /** Runs that could not be read, or whose lines could not be written. */
  readonly failed: readonly RunId[];
  /** Runs all of whose lines are written, up to their last; not yet safe from a power loss. */
  readonly ended: readonly { readonly id: RunId; readonly auditedSeq: number }[];
  /** The first thing that went wrong, if anything did. The other runs were served all the same. */
  readonly fault: unknown;
}

interface News {
  readonly id: RunId;
  readonly cursor: RecordCursor;
  /** Read from the run's beginning when its progress is unknown, else after what is written. */
  readonly page: readonly Event[];
}

interface PassState {
  readonly again: Set<RunId>;
  readonly failed: Set<RunId>;
  fault: unknown;
}

/** Brings the audit lines of some runs up to the log, those of one agent in one write. */
export async function recordRuns(deps: RecordRunsDeps, ids: readonly RunId[]): Promise<RecordPass> {
  const state: PassState = { again: new Set(), failed: new Set(), fault: undefined };
  const byAgent = new Map<AgentId, News[]>();
  await inParallel(ids, PARALLEL_READS, async (id) => {
    const news = await readNews(deps, id).catch((error: unknown) => {
      state.fault ??= error;
      state.failed.add(id);
    });
    if (!news) return;
    const group = byAgent.get(news.cursor.agentId) ?? [];
    byAgent.set(news.cursor.agentId, group);
    group.push(news);
  });
  await inParallel(byAgent, PARALLEL_READS, ([agentId, group]) =>
    writeLines(deps, agentId, { group, state }),
  );
  const ended = [...byAgent.values()]
    .flat()
    .filter(({ cursor }) => cursor.stage === 'ended')
    .map(({ id, cursor }) => ({
      id,
      auditedSeq: Math.max(cursor.seq ?? 0, cursor.closedSeq ?? 0),
    }));
  return { again: [...state.again], failed: [...state.failed], ended, fault: state.fault };
}

async function readNews(deps: RecordRunsDeps, id: RunId): Promise<News | undefined> {
  const known = deps.cursors.find(id);
  if (known?.stage === 'finished') return undefined;
  const page = await readPage(deps.events, id, known);
  if (page === undefined) return undefined;
  if (known !== undefined) return { id, cursor: known, page };
  const first = page[0];
  if (first === undefined) return undefined;
  const { agentId, atMs: bornMs } = first;
  const seq = deps.cursors.mayHaveLines(bornMs) ? undefined : 0;
  const cursor: RecordCursor = { agentId, bornMs, seq, stage: 'open', closedSeq: undefined };
  deps.cursors.add(id, cursor);
  return { id, cursor, page };
}

/**
 * Undefined when the run was recorded so long ago that its events are no longer kept. Its lines are there; a bundle that
 * somebody has removed since can't be written again, and half a one would pass for the whole.
 */
async function readPage(
  log: EventLog,
  id: RunId,
  known: RecordCursor | undefined,
): Promise<Event[] | undefined> {
  try {
    const after = known?.seq ?? 0;
    return await log.read(id, { after, limit: EVENTS_PER_PASS, mayBeRecent: true });
  } catch (thrown) {
    if (!isStaleCursor(thrown)) throw thrown;
    if (known) known.stage = 'finished';
    return undefined;
  }
}

interface AgentWork {
  readonly group: readonly News[];
  readonly state: PassState;
}

async function writeLines(
  deps: RecordRunsDeps,
  agentId: AgentId,
  { group, state }: AgentWork,
): Promise<void> {
  try {
    await lookUpProgress(deps, agentId, group);
    const fresh = group.flatMap(({ cursor, page }) =>
      page.filter((event) => event.seq > (cursor.seq ?? 0)),
    );
    if (fresh.length > 0) await deps.sink.appendAudit(agentId, fresh.map(encodeAuditLine));
  } catch (error) {
    state.fault ??= error;
    for (const { id, cursor } of group) {
      // Part of the lines may have got through; the files will say which.
      cursor.seq = undefined;
      state.failed.add(id);
    }
    return;
  }
  for (const { id, cursor, page } of group) {
    const last = page.at(-1);
    if (last !== undefined) cursor.seq = Math.max(cursor.seq ?? 0, last.seq);
    const isLast = last !== undefined && isTerminalEvent(last);
    const isOver = cursor.closedSeq !== undefined && page.length < EVENTS_PER_PASS;
    if (isLast || isOver) cursor.stage = 'ended';
    else if (page.length === EVENTS_PER_PASS) state.again.add(id);
  }
}

async function lookUpProgress(
  deps: RecordRunsDeps,
  agentId: AgentId,
  group: readonly News[],
): Promise<void> {
  const unknown = group.filter(({ cursor }) => cursor.seq === undefined);
  if (unknown.length === 0) return;
  const found = await deps.sink.findAuditedSeqs(
    agentId,
    unknown.map(({ id, cursor }) => ({ id, sinceMs: cursor.bornMs })),
  );
  for (const { id, cursor } of unknown) cursor.seq = found.get(id) ?? 0;
}
