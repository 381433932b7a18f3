/** What is known of every slot, one array for each thing: a search walks over them without touching objects. */
export interface Columns {
  capacity: number;
  flags: Uint8Array;
  owner: Int32Array;
  agent: Int32Array;
  project: Int32Array;
  source: Int32Array;
  session: Int32Array;
  speaker: Int32Array;
  conversation: Int32Array;
  previous: Int32Array;
  next: Int32Array;
  timestampMs: Float64Array;
  accessedAtMs: Float64Array;
  accessCount: Float32Array;
  priority: Float32Array;
  /** Words that tell something. */
  length: Int32Array;
  traits: Uint8Array;
  capitals: Uint8Array;
  sequenceStart: Int32Array;
  sequenceLength: Int32Array;
  contentHash: Float64Array;
}

export const FLAGS = { isThere: 1, isPinned: 2, isPrivate: 4 } as const;

/** What a text is like, as bits. */
export const TEXT_TRAITS = {
  asks: 1,
  endsAsking: 2,
  firstPerson: 4,
  time: 8,
  number: 16,
  secondPerson: 32,
  place: 64,
  reason: 128,
} as const;

const START = 256;

export function createColumns(): Columns {
  return allocate(START);
}

function allocate(capacity: number): Columns {
  const whole = () => new Int32Array(capacity);
  const small = () => new Uint8Array(capacity);
  const times = () => new Float64Array(capacity);
  return {
    capacity,
    flags: small(),
    owner: whole(),
    agent: whole(),
    project: whole(),
    source: whole(),
    session: whole(),
    speaker: whole(),
    conversation: whole(),
    previous: whole(),
    next: whole(),
    timestampMs: times(),
    accessedAtMs: times(),
    accessCount: new Float32Array(capacity),
    priority: new Float32Array(capacity),
    length: whole(),
    traits: small(),
    capitals: small(),
    sequenceStart: whole(),
    sequenceLength: whole(),
    contentHash: times(),
  };
}

/** Makes room for a slot, in place. */
export function reserveSlot(columns: Columns, slot: number): void {
  if (slot < columns.capacity) return;
  const grown = allocate(columns.capacity * 2);
  for (const [name, values] of Object.entries(columns)) {
    if (typeof values === 'number') continue;
    const target = grown[name as keyof Columns];
    if (typeof target !== 'number') target.set(values);
  }
  Object.assign(columns, grown);
}
