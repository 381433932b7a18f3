import { clampLimit } from '../clamp-limit.ts';
import type { AgentId, HandoffId, MemoryId, RunId } from '../ids.ts';
import { digestKey } from '../secrets/digest-key.ts';
import { patch, put } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, count, find } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import {
  type GiveResult,
  type Handoff,
  type HandoffEnd,
  type HandoffState,
  type HandoffStore,
  MAX_OPEN_PER_RECEIVER,
  MAX_PER_RUN,
  type NewHandoff,
} from './handoff.ts';
import { judgeChain } from './judge-chain.ts';

export interface HandoffRow extends Handoff {
  /** A digest of the owner and of its name for the hand-off; of its id where it has no name. */
  readonly key: string;
}

type Limit = { limit: number };

export const HANDOFFS = collection<HandoffRow>()('handoffs', 'id');
export const HANDOFF_OF_KEY = query<{ key: string }, HandoffRow>('handoff_of_key');
/** The one that a run works on. */
export const HANDOFF_OF_RUN = query<{ runId: RunId }, HandoffRow>('handoff_of_run');
export const NEWEST_HANDOFFS = query<
  Limit & {
    owner: string | undefined;
    projectId: string | undefined;
    agentId: AgentId | undefined;
    state: HandoffState | undefined;
    before: HandoffId | undefined;
  },
  HandoffRow
>('newest_handoffs');
export const OPEN_HANDOFFS = query<Limit, HandoffRow>('open_handoffs');
export const ENDED_HANDOFFS = query<Limit, HandoffRow>('ended_handoffs');
export const UNREPORTED_HANDOFFS = query<Limit, HandoffRow>('unreported_handoffs');
export const AWAITED_RUNS = query<Limit, { runId: RunId }>('awaited_runs');

/** A page is read in one go, and each carries a text. */
const MAX_PAGE_HANDOFFS = 500;

const lockOf = (id: HandoffId) => `handoff ${id}`;
/** For a caller that hands over in no run: there is nothing to count. */
const NO_RUN = '' as RunId;

/** Owners name theirs without knowing of each other. */
function toKey({ id, owner, key }: NewHandoff): string {
  return digestKey(JSON.stringify(key === undefined ? [id] : [owner, key]));
}

const give = defineWrite({
  name: 'handoffs.give',
  locks: (handoff: NewHandoff) => [
    `handoff_key ${toKey(handoff)}`,
    ...(handoff.parentRunId === undefined ? [] : [`handoffs of ${handoff.parentRunId}`]),
    `handoffs to ${handoff.to}`,
  ],
  needs: (handoff) => ({
    known: ask(HANDOFF_OF_KEY, { key: toKey(handoff) }),
    parent: ask(HANDOFF_OF_RUN, { runId: handoff.parentRunId ?? NO_RUN }),
    siblings: count(HANDOFFS, {
      of: { parentRunId: handoff.parentRunId ?? NO_RUN },
      max: MAX_PER_RUN,
    }),
    waiting: count(HANDOFFS, {
      of: { to: handoff.to, state: 'open', reportedAtMs: undefined },
      max: MAX_OPEN_PER_RECEIVER,
    }),
  }),
  decide(
    { known: [known], parent: [parent], siblings, waiting },
    given,
    nowMs,
  ): Decided<GiveResult> {
    // A repeated request is answered as it was, whatever is full by now.
    if (known) {
      if (!isSame(known, given)) return answer({ outcome: 'other_handoff' });
      return answer({ outcome: 'given', handoff: toHandoff(known), replayed: true });
    }
    if (given.isUnaffordable) return answer({ outcome: 'unaffordable' });
    const judged = judgeChain(given, parent);
    if (judged.verdict !== 'allowed') return answer({ outcome: judged.verdict });
    if (siblings >= MAX_PER_RUN) return answer({ outcome: 'too_many' });
    if (waiting >= MAX_OPEN_PER_RECEIVER) return answer({ outcome: 'receiver_full' });
    const { key: _, isUnaffordable: __, ...fields } = given;
    const row: HandoffRow = {
      ...fields,
      key: toKey(given),
      chain: judged.chain,
      state: 'open',
      createdAtMs: nowMs,
      ...NOTHING_YET,
    };
    return {
      value: { outcome: 'given', handoff: toHandoff(row), replayed: false },
      changes: [put(HANDOFFS, row)],
    };
  },
});

const NOTHING_YET = {
  memoryId: undefined,
  result: undefined,
  error: undefined,
  endedAtMs: undefined,
  reportedAtMs: undefined,
};

function isSame(known: HandoffRow, given: NewHandoff): boolean {
  return (
    known.from === given.from &&
    known.to === given.to &&
    known.projectId === given.projectId &&
    known.content === given.content
  );
}

const noteMemory = defineWrite({
  name: 'handoffs.note_memory',
  locks: ({ id }: { id: HandoffId; memoryId: MemoryId }) => [lockOf(id)],
  needs: () => ({}),
  decide: (_found, { id, memoryId }): Decided<undefined> => ({
    value: undefined,
    changes: [patch(HANDOFFS, { id }, { memoryId })],
  }),
});

const noteQueued = defineWrite({
  name: 'handoffs.note_queued',
  locks: (id: HandoffId) => [lockOf(id)],
  needs: (id) => ({ known: find(HANDOFFS, { id }) }),
  decide({ known }, id): Decided<undefined> {
    if (known?.state !== 'open') return answer(undefined);
    return { value: undefined, changes: [patch(HANDOFFS, { id }, { state: 'running' })] };
  },
});

const end = defineWrite({
  name: 'handoffs.end',
  locks: ({ id }: { id: HandoffId; end: HandoffEnd }) => [lockOf(id)],
  needs: ({ id }) => ({ known: find(HANDOFFS, { id }) }),
  decide({ known }, { id, end: given }, nowMs): Decided<undefined> {
    if (!known || known.endedAtMs !== undefined) return answer(undefined);
    const { state, result, error } = given;
    const fields = { state, result, error, endedAtMs: nowMs };
    return { value: undefined, changes: [patch(HANDOFFS, { id }, fields)] };
  },
});

const noteReported = defineWrite({
  name: 'handoffs.note_reported',
  locks: (id: HandoffId) => [lockOf(id)],
  needs: (id) => ({ known: find(HANDOFFS, { id }) }),
  decide({ known }, id, nowMs): Decided<undefined> {
    if (known?.endedAtMs === undefined || known.reportedAtMs !== undefined)
      return answer(undefined);
    return { value: undefined, changes: [patch(HANDOFFS, { id }, { reportedAtMs: nowMs })] };
  },
});

export const HANDOFF_WRITES = { give, noteMemory, noteQueued, end, noteReported };

export function createHandoffStore({ load, write }: Tables): HandoffStore {
  async function page(of: typeof OPEN_HANDOFFS, limit: number): Promise<Handoff[]> {
    const rows = await load(ask(of, { limit: clampLimit(limit, MAX_PAGE_HANDOFFS) }));
    return rows.map(toHandoff);
  }

  return {
    give: (handoff) => write(give, handoff),

    async find(id) {
      const row = await load(find(HANDOFFS, { id }));
      return row && toHandoff(row);
    },

    async list({ owner, projectId, agentId, state, before, limit: given }) {
      const limit = clampLimit(given, MAX_PAGE_HANDOFFS);
      const params = { owner, projectId, agentId, state, before, limit };
      return (await load(ask(NEWEST_HANDOFFS, params))).map(toHandoff);
    },

    listOpen: (limit) => page(OPEN_HANDOFFS, limit),
    listEnded: (limit) => page(ENDED_HANDOFFS, limit),
    listUnreported: (limit) => page(UNREPORTED_HANDOFFS, limit),

    async listAwaited(given) {
      const limit = clampLimit(given, MAX_PAGE_HANDOFFS);
      return (await load(ask(AWAITED_RUNS, { limit }))).map(({ runId }) => runId);
    },

    noteMemory: (id, memoryId) => write(noteMemory, { id, memoryId }),
    noteQueued: (id) => write(noteQueued, id),
    end: (id, given) => write(end, { id, end: given }),
    noteReported: (id) => write(noteReported, id),
  };
}

function toHandoff({ key: _, ...handoff }: HandoffRow): Handoff {
  return handoff;
}
