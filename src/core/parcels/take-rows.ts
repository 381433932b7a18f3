import type { Ids } from '../ids.ts';
import { restoreFacts } from '../knowledge/stored-facts.ts';
import { restoreMemories } from '../memory/restore-write.ts';
import type { Notify } from '../schedule/job.ts';
import { parseTimeZone } from '../schedule/job-fields.ts';
import type { JobBounds } from '../schedule/job-store.ts';
import { parseSchedule } from '../schedule/parse-schedule.ts';
import type { Write } from '../store/write.ts';
import { decodeFact, decodeJob, decodeMemory } from './decode-rows.ts';
import { unfit } from './parcel-faults.ts';
import { type ParcelEntry, partOf } from './parcel-format.ts';
import { parseLines } from './parcel-lines.ts';
import { type ParcelJob, parcelFact, parcelJob, parcelMemory } from './parcel-shapes.ts';
import { createConversations, type TakeConversationsDeps } from './take-conversations.ts';

export interface TakeRowsDeps extends TakeConversationsDeps {
  readonly ids: Pick<Ids, 'session' | 'memory' | 'fact' | 'job'>;
  /** What the agent was called where it comes from. */
  readonly formerId: string;
  readonly approvesPins: boolean;
  readonly jobBounds: (owner: string) => JobBounds;
  /** A memory that is pinned there, or that nobody vouched for. */
  readonly noteMemory: (memory: { readonly pinned: boolean; readonly isTrusted: boolean }) => void;
  readonly takeSkills: (entry: ParcelEntry) => Promise<void>;
}

const PAGE = 200;
const NOBODY: Notify = { channel: 'none', target: '' };

/** Turns the entries of a parcel into steps: under new ids, and of one agent alone. */
export function createTakeRows(deps: TakeRowsDeps): (entry: ParcelEntry) => Promise<void> {
  const { ids, ownership, counter } = deps;
  const conversations = createConversations(deps);

  async function write<Given>(
    { name }: Pick<Write<readonly Given[], unknown>, 'name'>,
    rows: Iterable<Given>,
  ): Promise<void> {
    let given: Given[] = [];
    const flush = () => deps.add({ step: 'write', name, given });
    for (const row of rows) {
      given.push(row);
      if (given.length < PAGE) continue;
      await flush();
      given = [];
    }
    if (given.length > 0) await flush();
  }

  function* decodeMemories(entry: ParcelEntry) {
    for (const row of parseLines(entry, parcelMemory)) {
      if (!deps.isTaken(row.owner)) continue;
      counter.count('memories');
      const known = row.session_id === null ? undefined : conversations.find(row.session_id);
      const sessionId = known === 'left_out' ? undefined : (known ?? row.session_id ?? undefined);
      const given = { id: ids.memory(), sessionId, approvesPins: deps.approvesPins };
      const memory = decodeMemory(row, given, ownership);
      deps.noteMemory({ pinned: row.pinned, isTrusted: memory.isTrusted });
      yield memory;
    }
  }

  function* decodeFacts(entry: ParcelEntry) {
    for (const row of parseLines(entry, parcelFact)) {
      if (!deps.isTaken(row.owner)) continue;
      counter.count('facts');
      yield decodeFact(row, ids.fact(), ownership);
    }
  }

  function toNotify({ id, notify: { channel, target } }: ParcelJob): Notify {
    if (channel === 'none') return NOBODY;
    if (channel === 'agent') {
      if (target === deps.formerId) return { channel, target: ownership.agentId };
      throw unfit(`job ${id} reaches another agent, ${target}`);
    }
    const known = conversations.find(target);
    if (known === undefined)
      throw unfit(`job ${id} reaches a session that is not in it, ${target}`);
    return known === 'left_out' ? NOBODY : { channel, target: known };
  }

  async function takeJobs(entry: ParcelEntry): Promise<void> {
    for (const row of parseLines(entry, parcelJob)) {
      if (!deps.isTaken(row.owner)) continue;
      counter.count('jobs');
      assertJob(row);
      const job = decodeJob(row, { id: ids.job(), notify: toNotify(row) }, ownership);
      await deps.add({ step: 'job', job, bounds: deps.jobBounds(row.owner) });
    }
  }

  return async (entry) => {
    switch (partOf(entry.name)) {
      case 'skills':
        return deps.takeSkills(entry);
      case 'conversations':
        return conversations.take(entry);
      case 'memories':
        return write(restoreMemories, decodeMemories(entry));
      case 'facts':
        return write(restoreFacts, decodeFacts(entry));
      case 'jobs':
        return takeJobs(entry);
      // For people to read: what happened elsewhere is no part of what happened here.
      case 'audit':
      case undefined:
        return undefined;
    }
  };
}

function assertJob({ id, schedule, timezone }: ParcelJob): void {
  try {
    parseSchedule(schedule);
    parseTimeZone(timezone);
  } catch (thrown) {
    throw unfit(`job ${id}: ${thrown instanceof Error ? thrown.message : 'is none'}`, thrown);
  }
}
