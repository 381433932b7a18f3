import type { EffectWrite } from '../effects/effect.ts';
import { RuntimeError } from '../errors.ts';
import type { EventDraft } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { readKept } from '../events/read-kept.ts';
import type { Seal } from '../events/seal.ts';
import type { RequestId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { RunStore } from '../runs/run-store.ts';
import { EXECUTE_ORIGIN } from './integration-caller.ts';

export interface CallRecordDeps {
  readonly runs: Pick<RunStore, 'note'>;
  readonly events: Pick<EventLog, 'read' | 'floor'>;
  readonly seal: Seal;
}

/** What a run's log says about a call that was made in its name from outside. */
export interface CallRecord {
  /** Throws `conflict` when the run has ended: nothing more can be done in its name. */
  begin(drafts: readonly EventDraft[], intent: EffectWrite | undefined): Promise<void>;
  /** From here on it may have happened. Throws `cancelled` when the run has ended meanwhile. */
  send(id: RequestId): Promise<void>;
  /** False, and nothing recorded, when the run has ended meanwhile: its log is closed. */
  end(drafts: readonly EventDraft[], settlement: EffectWrite | undefined): Promise<boolean>;
  find(id: RequestId): Promise<RecordedCall>;
}

interface RecordedCall {
  readonly hasCall: boolean;
  /** The payload of its `tool.result`. */
  readonly result: JsonObject | undefined;
}

const PAGE_EVENTS = 500;

export function createCallRecord(deps: CallRecordDeps, runId: RunId | undefined): CallRecord {
  if (runId === undefined) return NO_RECORD;
  const note = (drafts: readonly EventDraft[], effect: EffectWrite | undefined) =>
    deps.runs.note(runId, drafts.map(mark).map(deps.seal), effect ? [effect] : []);
  return {
    async begin(drafts, intent) {
      const noted = await note(drafts, intent);
      if (noted.outcome === 'appended') return;
      throw new RuntimeError('conflict', `run ${runId} has ended`);
    },

    async send(id) {
      const noted = await note([], { step: 'send', id });
      if (noted.outcome === 'appended') return;
      throw new RuntimeError('cancelled', `not called: run ${runId} has ended`);
    },

    async end(drafts, settlement) {
      return (await note(drafts, settlement)).outcome === 'appended';
    },

    find: (id) => findRecorded(deps.events, runId, id),
  };
}

const NO_RECORD: CallRecord = {
  begin: async () => {},
  send: async () => {},
  end: async () => true,
  find: async () => ({ hasCall: false, result: undefined }),
};

/** Read from the front: asked only after a crash, and a log is bounded by its run. */
async function findRecorded(
  events: CallRecordDeps['events'],
  runId: RunId,
  id: RequestId,
): Promise<RecordedCall> {
  let hasCall = false;
  for (let after = 0; ; ) {
    const page = await readKept(events, runId, { after, limit: PAGE_EVENTS });
    for (const { type, payload } of page) {
      if (payload['request_id'] !== id) continue;
      if (type === 'tool.call') hasCall = true;
      if (type === 'tool.result') return { hasCall, result: payload };
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE_EVENTS) return { hasCall, result: undefined };
    after = last.seq;
  }
}

function mark(draft: EventDraft): EventDraft {
  const payload = { ...draft.payload, origin: EXECUTE_ORIGIN };
  return { ...draft, actor: 'user', payload };
}
