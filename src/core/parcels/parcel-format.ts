/** A parcel is a whole agent in one file. What it is made of, in this order; docs/contracts/parcel.md says the rest. */
export const PARCEL_FORMAT = 'pincer.agent';
export const PARCEL_VERSION = 1;
export const PARCEL_TYPE = 'application/vnd.pincer.agent';

export const AGENT_ENTRY = 'agent.json';
export const SOUL_ENTRY = 'soul.md';
export const MANIFEST_ENTRY = 'manifest.json';
export const SIGNATURE_ENTRY = 'signature.json';

/** What comes as lines of JSON, in as many entries as it takes. */
export const PARTS = ['skills', 'conversations', 'memories', 'facts', 'jobs', 'audit'] as const;
export type Part = (typeof PARTS)[number];

export interface ParcelEntry {
  readonly name: string;
  readonly content: Uint8Array;
}

/** An entry is held in memory, one at a time; one that is full is followed by the next. */
export const FULL_ENTRY_BYTES = 1024 * 1024;
export const MAX_ENTRY_BYTES = 16 * 1024 * 1024;
export const MAX_ENTRIES = 1_000;
export const MAX_PARCEL_BYTES = 256 * 1024 * 1024;

/**
 * Of one agent. All of it is written in one transaction, which others wait for: measured, 80 µs a row on a busy machine,
 * so ten seconds at most. A lease lasts thirty.
 */
export const MAX_COUNTS = {
  skills: 50,
  sessions: 5_000,
  messages: 50_000,
  memories: 50_000,
  facts: 20_000,
  jobs: 1_000,
  audit_events: 1_000_000,
} as const;

export type Counted = keyof typeof MAX_COUNTS;
export type Counts = Readonly<Record<Counted, number>>;

export const NO_COUNTS: Counts = {
  skills: 0,
  sessions: 0,
  messages: 0,
  memories: 0,
  facts: 0,
  jobs: 0,
  audit_events: 0,
};

/** `memories/000001.jsonl` */
export function toEntryName(part: Part, number: number): string {
  return `${part}/${String(number).padStart(6, '0')}.jsonl`;
}

const PART_ENTRY = /^([a-z]+)\/(\d{6})\.jsonl$/;

/** Undefined for a name that no entry of a part has. */
export function partOf(name: string): Part | undefined {
  const word = PART_ENTRY.exec(name)?.[1];
  return PARTS.find((part) => part === word);
}

/** The names that entries may have, and the one after another: nothing else is ever looked at. */
export function mayFollow(name: string, before: string | undefined): boolean {
  if (before === undefined) return name === AGENT_ENTRY;
  if (before === AGENT_ENTRY) return name === SOUL_ENTRY;
  if (before === MANIFEST_ENTRY) return name === SIGNATURE_ENTRY;
  if (before === SIGNATURE_ENTRY) return false;
  return name === MANIFEST_ENTRY || isNextPart(name, before);
}

function isNextPart(name: string, before: string): boolean {
  const part = partOf(name);
  if (part === undefined) return false;
  const last = partOf(before);
  if (part === last) return name === toEntryName(part, numberOf(before) + 1);
  const place = last === undefined ? -1 : PARTS.indexOf(last);
  return PARTS.indexOf(part) > place && name === toEntryName(part, 1);
}

function numberOf(name: string): number {
  return Number(PART_ENTRY.exec(name)?.[2]);
}
