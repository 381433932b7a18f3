import type { MemoryId } from '../core/ids.ts';
import type { IndexChange, IndexedMemory } from '../core/memory/memory-index.ts';
import { findSpeaker } from '../core/memory/ranking/speakers.ts';
import { type Columns, createColumns, FLAGS, reserveSlot } from './columns.ts';
import { type Conversations, createConversations } from './conversations.ts';
import { createInterner } from './interner.ts';
import { createPostings, MAX_SLOTS, type Postings } from './postings.ts';
import { readText } from './read-text.ts';
import { Scratch } from './scratch.ts';
import { createTermSequences, type TermSequences } from './term-sequences.ts';
import { MAX_DIMENSIONS, VectorTable } from './vector-table.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

interface Place {
  readonly table: VectorTable;
  readonly place: number;
}

/** What is gone still lies in the postings; from this share on they are made anew. */
const MAX_GONE_SHARE = 0.25;
const MIN_GONE = 1_000;
const NOBODY = -1;

/** Everything the index holds. A memory has a slot; a changed text gets a new one. */
export class Holdings {
  readonly columns: Columns = createColumns();
  readonly vocabulary: Vocabulary = createVocabulary();
  readonly sequences: TermSequences = createTermSequences();
  readonly names = {
    owners: createInterner(),
    agents: createInterner(),
    projects: createInterner(),
    sources: createInterner(),
    sessions: createInterner(),
    speakers: createInterner(),
  } as const;
  readonly tags = new Map<number, readonly string[]>();
  readonly scratch = new Scratch();
  readonly conversations: Conversations = createConversations(this.columns, (slot) =>
    this.idOf(slot),
  );
  readonly #ids: string[] = [];
  readonly #slots = new Map<string, number>();
  readonly #tables = new Map<number, VectorTable>();
  readonly #places = new Map<number, readonly Place[]>();
  readonly #free: number[] = [];
  readonly #gone: number[] = [];
  #postings = createPostings();
  #version = 0;

  /** Counts changes. */
  get version(): number {
    return this.#version;
  }

  /** Memories that are there. */
  get size(): number {
    return this.#slots.size;
  }

  /** Slots that were ever used: the end of every walk over the columns. */
  get slotCount(): number {
    return this.#ids.length;
  }

  get postings(): Postings {
    return this.#postings;
  }

  idOf(slot: number): MemoryId {
    return (this.#ids[slot] ?? '') as MemoryId;
  }

  /** Those of one length; vectors of different models are never compared. */
  vectors(dimensions: number): VectorTable | undefined {
    return this.#tables.get(dimensions);
  }

  /** The terms of a text in their order. */
  termsOf(slot: number): Int32Array {
    const { sequenceStart, sequenceLength } = this.columns;
    return this.sequences.read(sequenceStart[slot] ?? 0, sequenceLength[slot] ?? 0);
  }

  apply(change: IndexChange): void {
    this.#version += 1;
    if (change.change === 'put') this.#put(change.memory);
    else if (change.change === 'remove') this.#remove(change.id);
    else {
      const slot = this.#slots.get(change.id);
      if (slot !== undefined) this.#embed(slot, change.vectors);
    }
  }

  #takeSlot(id: string): number {
    const slot = this.#free.pop() ?? this.#ids.length;
    if (slot >= MAX_SLOTS) throw new RangeError('the memory index is full');
    reserveSlot(this.columns, slot);
    this.#ids[slot] = id;
    this.#slots.set(id, slot);
    return slot;
  }

  #put(memory: IndexedMemory): void {
    const contentHash = hashText(`${memory.tags.join('\n')}\0${memory.content}`);
    const known = this.#slots.get(memory.id);
    const isSameText = known !== undefined && this.columns.contentHash[known] === contentHash;
    if (known !== undefined && !isSameText) this.#remove(memory.id);
    const slot = isSameText ? known : this.#takeSlot(memory.id);
    if (isSameText) this.conversations.remove(slot);
    else this.#writeText(slot, memory, contentHash);
    this.#writeFields(slot, memory);
    this.conversations.insert(slot);
    if (memory.vectors.length > 0 || !isSameText) this.#embed(slot, memory.vectors);
  }

  #writeText(slot: number, memory: IndexedMemory, contentHash: number): void {
    const { terms, length, traits, capitals } = readText(
      memory.content,
      memory.tags,
      this.vocabulary,
    );
    for (const term of terms) this.#postings.add(term, slot);
    const { start, size } = this.sequences.add(terms);
    this.columns.sequenceStart[slot] = start;
    this.columns.sequenceLength[slot] = size;
    this.columns.length[slot] = length;
    this.columns.traits[slot] = traits;
    this.columns.capitals[slot] = capitals;
    this.columns.contentHash[slot] = contentHash;
  }

  #writeFields(slot: number, memory: IndexedMemory): void {
    const speaker = findSpeaker(memory.content, memory.tags);
    const conversation =
      memory.sessionId && toKey(memory.owner, memory.projectId, memory.sessionId);
    this.columns.flags[slot] =
      FLAGS.isThere |
      (memory.pinned ? FLAGS.isPinned : 0) |
      (memory.isPrivate ? FLAGS.isPrivate : 0);
    this.columns.owner[slot] = this.names.owners.number(memory.owner);
    this.columns.agent[slot] = this.names.agents.number(memory.agentId);
    this.columns.project[slot] = this.names.projects.number(memory.projectId);
    this.columns.source[slot] = this.names.sources.number(memory.source);
    this.columns.session[slot] = memory.sessionId
      ? this.names.sessions.number(memory.sessionId)
      : NOBODY;
    this.columns.speaker[slot] =
      speaker === undefined ? NOBODY : this.names.speakers.number(speaker);
    this.columns.conversation[slot] = conversation ? this.conversations.open(conversation) : NOBODY;
    this.columns.timestampMs[slot] = memory.timestampMs;
    this.columns.accessedAtMs[slot] = memory.accessedAtMs;
    this.columns.accessCount[slot] = memory.accessCount;
    this.columns.priority[slot] = memory.priorityScore;
    if (memory.tags.length > 0) this.tags.set(slot, [...memory.tags]);
    else this.tags.delete(slot);
  }

  #embed(slot: number, vectors: readonly Float32Array[]): void {
    for (const { table, place } of this.#places.get(slot) ?? []) table.remove(place);
    this.#places.delete(slot);
    const kept = vectors.flatMap((vector) => {
      const table = this.#openTable(vector.length);
      return table ? [{ table, place: table.add(slot, vector) }] : [];
    });
    if (kept.length > 0) this.#places.set(slot, kept);
  }

  #openTable(dimensions: number): VectorTable | undefined {
    if (dimensions === 0 || dimensions > MAX_DIMENSIONS) return undefined;
    const known = this.#tables.get(dimensions);
    if (known) return known;
    const table = new VectorTable(dimensions);
    this.#tables.set(dimensions, table);
    return table;
  }

  #remove(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.conversations.remove(slot);
    this.#embed(slot, []);
    for (const term of new Set(this.termsOf(slot))) this.#postings.forget(term);
    this.columns.flags[slot] = 0;
    this.tags.delete(slot);
    this.#slots.delete(id);
    this.#ids[slot] = '';
    this.#gone.push(slot);
    const maxGone = Math.max(MIN_GONE, this.size * MAX_GONE_SHARE);
    if (this.#gone.length > maxGone) this.#sweep();
  }

  /** Postings and sequences anew, of what is there: until then a gone slot can't be used again. */
  #sweep(): void {
    const fresh = createPostings();
    const old = this.sequences.restart();
    for (const slot of this.#slots.values()) {
      const start = this.columns.sequenceStart[slot] ?? 0;
      const terms = old.subarray(start, start + (this.columns.sequenceLength[slot] ?? 0));
      for (const term of terms) fresh.add(term, slot);
      this.columns.sequenceStart[slot] = this.sequences.add(terms).start;
    }
    this.#postings = fresh;
    for (const slot of this.#gone.splice(0)) this.#free.push(slot);
  }
}

function toKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** 53 bits: two texts of one memory that collide would have to be made for it, and only that memory would suffer. */
function hashText(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) + low;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
