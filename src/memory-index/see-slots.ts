import type { MemoryFilter } from '../core/memory/memory-index.ts';
import { FLAGS } from './columns.ts';
import { countWords, type WordCounts } from './count-words.ts';
import type { Holdings } from './holdings.ts';
import type { Interner } from './interner.ts';

/**
 * What a filter lets a search see. Nothing else is found, counted or a neighbour; only how rare the words of a text are
 * on the whole is judged by all that the reader may see, in whatever project.
 */
export interface Sight {
  /** 1 for each slot that is seen. */
  readonly visible: Uint8Array;
  readonly slots: Int32Array;
  /** Those of them that are pinned. */
  readonly pinned: readonly number[];
  /** Speakers of what is seen, by their numbers. */
  readonly speakers: ReadonlySet<number>;
  readonly lengths: Lengths;
  readonly words: WordCounts;
}

/** How many words there are, on average and in each conversation. */
export interface Lengths {
  readonly meanTurn: number;
  readonly conversations: Float32Array;
  readonly meanConversation: number;
}

const UNKNOWN = -2;

/** What an agent's memories are to the reader. */
const HIDDEN = 0;
const SHARED = 1;
const OWN = 2;

export function seeSlots(holdings: Holdings, filter: MemoryFilter): Sight {
  const { columns, slotCount } = holdings;
  const { flags, speaker } = columns;
  const isHidden = createHiding(holdings, filter);
  const isWanted = createWish(holdings, filter);
  const visible = new Uint8Array(slotCount);
  const slots = new Int32Array(slotCount);
  const speakers = new Set<number>();
  const pinned: number[] = [];
  let count = 0;
  let hidden = 0;
  let lastSpeaker = -1;
  for (let slot = 0; slot < slotCount; slot += 1) {
    const flag = flags[slot] as number;
    if ((flag & FLAGS.isThere) === 0) continue;
    if (isHidden(slot)) {
      hidden += 1;
      continue;
    }
    if (!isWanted(slot)) continue;
    visible[slot] = 1;
    slots[count] = slot;
    count += 1;
    if ((flag & FLAGS.isPinned) !== 0) pinned.push(slot);
    const who = speaker[slot] as number;
    if (who !== lastSpeaker && who >= 0) speakers.add(who);
    lastSpeaker = who;
  }
  const seen = slots.subarray(0, count);
  const lengths = measureLengths(holdings, seen);
  const words = countWords(holdings, { isHidden, count: hidden });
  return { visible, slots: seen, pinned, speakers, lengths, words };
}

/** What belongs to others, or is kept from the reader. */
function createHiding(holdings: Holdings, filter: MemoryFilter): (slot: number) => boolean {
  const { columns } = holdings;
  const access = readAccess(holdings, filter);
  const wanted = numberOf(holdings.names.owners, filter.owner);
  return (slot) => {
    if (wanted !== undefined && columns.owner[slot] !== wanted) return true;
    const granted = access[columns.agent[slot] as number] as number;
    const isPrivate = ((columns.flags[slot] as number) & FLAGS.isPrivate) !== 0;
    return granted === HIDDEN || (granted === SHARED && isPrivate);
  };
}

/** Its own are seen by an agent; others' when they were written for all and their agent is not private now. */
function readAccess(
  { names }: Holdings,
  { readerId, isOwnOnly = false, privateAgentIds }: MemoryFilter,
): Uint8Array {
  const access = new Uint8Array(names.agents.size).fill(isOwnOnly ? HIDDEN : SHARED);
  for (const id of privateAgentIds) {
    const number = names.agents.find(id);
    if (number !== undefined) access[number] = HIDDEN;
  }
  const reader = readerId === undefined ? undefined : names.agents.find(readerId);
  if (reader !== undefined) access[reader] = OWN;
  return access;
}

function createWish(holdings: Holdings, filter: MemoryFilter): (slot: number) => boolean {
  const { columns, names } = holdings;
  const { flags, timestampMs } = columns;
  const project = numberOf(names.projects, filter.projectId);
  const agent = numberOf(names.agents, filter.agentId);
  const session = numberOf(names.sessions, filter.sessionId);
  const source = numberOf(names.sources, filter.source);
  const { withPinned = false, tags = [], sinceMs, untilMs } = filter;
  return (slot) => {
    if (project !== undefined && columns.project[slot] !== project) {
      if (!withPinned || ((flags[slot] as number) & FLAGS.isPinned) === 0) return false;
    }
    if (agent !== undefined && columns.agent[slot] !== agent) return false;
    if (session !== undefined && columns.session[slot] !== session) return false;
    if (source !== undefined && columns.source[slot] !== source) return false;
    if (sinceMs !== undefined && (timestampMs[slot] as number) < sinceMs) return false;
    if (untilMs !== undefined && (timestampMs[slot] as number) > untilMs) return false;
    return tags.length === 0 || hasTags(holdings.tags.get(slot), tags);
  };
}

/** Undefined when nothing is asked; a number that nothing has when nothing has it. */
function numberOf(names: Interner, wanted: string | undefined): number | undefined {
  return wanted === undefined ? undefined : (names.find(wanted) ?? UNKNOWN);
}

function hasTags(tags: readonly string[] | undefined, wanted: readonly string[]): boolean {
  return tags !== undefined && wanted.every((tag) => tags.includes(tag));
}

function measureLengths({ columns, conversations }: Holdings, slots: Int32Array): Lengths {
  const { length, conversation } = columns;
  const byConversation = new Float32Array(conversations.size);
  let sum = 0;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index] as number;
    const words = length[slot] as number;
    const talk = conversation[slot] as number;
    sum += words;
    if (talk >= 0) byConversation[talk] = (byConversation[talk] as number) + words;
  }
  let inConversations = 0;
  let count = 0;
  for (let talk = 0; talk < byConversation.length; talk += 1) {
    const words = byConversation[talk] as number;
    inConversations += words;
    if (words > 0) count += 1;
  }
  return {
    meanTurn: Math.max(1, sum / Math.max(1, slots.length)),
    conversations: byConversation,
    meanConversation: Math.max(1, inConversations / Math.max(1, count)),
  };
}
