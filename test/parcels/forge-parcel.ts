import { canonicalJson } from '../../src/core/json.ts';
import type { ParcelEntry, Part } from '../../src/core/parcels/parcel-format.ts';
import {
  AGENT_ENTRY,
  MANIFEST_ENTRY,
  NO_COUNTS,
  PARCEL_FORMAT,
  PARCEL_VERSION,
  SIGNATURE_ENTRY,
  SOUL_ENTRY,
  toEntryName,
} from '../../src/core/parcels/parcel-format.ts';
import { sha256, toDocument } from '../../src/core/parcels/write-parcel.ts';
import { signText } from '../../src/core/skills/signed-text.ts';
import { packEntries } from '../../src/storage/parcels/pack-entries.ts';
import { HOME_KEY } from '../support/test-parcels.ts';

export const AGENT = {
  id: 'mole',
  slug: 'mole',
  name: 'Mole',
  role: 'digs',
  model: null,
  personality_template: null,
  voice_id: null,
  skills: [] as string[],
  memory_access: 'private',
  capabilities: [] as { tool: string; effect: string }[],
};

export const SESSION = {
  type: 'session',
  id: 'session_mole',
  owner: 'operator',
  channel: 'http',
  user_id: 'ann',
  room_id: 'hole',
  title: 'digging',
  forked_from: null,
  created_at_ms: 1,
  updated_at_ms: 2,
  closed_at_ms: null,
  summary: null,
};

export const MESSAGE = {
  type: 'message',
  exchange: 1,
  position: 0,
  role: 'user',
  content: 'dig',
  tool_name: null,
  tool_call_id: null,
  status: null,
  at_ms: 1,
};

export const MEMORY = {
  id: 'mem_mole',
  owner: 'operator',
  project_id: 'proj_001',
  session_id: null,
  content: 'worms are below',
  source: 'chat',
  tags: [],
  timestamp_ms: 1,
  extra: {},
  priority_score: 5,
  pinned: false,
  pin_reason: null,
  unpinned_score: null,
  is_private: true,
  is_trusted: true,
  access_count: 0,
  accessed_at_ms: 1,
  created_at_ms: 1,
  updated_at_ms: 1,
};

export const JOB = {
  id: 'dig-on',
  owner: 'operator',
  schedule: '@every 1h',
  message: 'dig on',
  mode: 'isolated',
  notify: { channel: 'none', target: '' },
  timezone: 'UTC',
  catch_up: 'none',
  anchor_ms: 0,
  next_slot_ms: null,
};

export interface Forgery {
  readonly agent?: object;
  readonly soul?: string;
  readonly parts?: Partial<Record<Part, readonly object[]>>;
  /** Entries with names of one's own, before the manifest. */
  readonly extra?: readonly ParcelEntry[];
  readonly manifest?: object;
}

/** What somebody who has a trusted key could sign. */
export async function forgeParcel(forgery: Forgery = {}): Promise<Buffer> {
  const agent = { ...AGENT, ...forgery.agent };
  const entries: ParcelEntry[] = [
    { name: AGENT_ENTRY, content: toDocument(agent) },
    { name: SOUL_ENTRY, content: Buffer.from(forgery.soul ?? 'You dig.') },
  ];
  for (const [part, rows] of Object.entries(forgery.parts ?? {})) {
    const content = Buffer.concat((rows ?? []).map((row) => toDocument(row)));
    entries.push({ name: toEntryName(part as Part, 1), content });
  }
  entries.push(...(forgery.extra ?? []));
  const { id, slug, name } = agent;
  const manifest = {
    format: PARCEL_FORMAT,
    version: PARCEL_VERSION,
    agent: { id, slug, name },
    counts: NO_COUNTS,
    entries: entries.map(({ name: entry, content }) => ({
      name: entry,
      bytes: content.length,
      sha256: sha256(content),
    })),
    ...forgery.manifest,
  };
  entries.push({ name: MANIFEST_ENTRY, content: toDocument(manifest) });
  const signature = signText(canonicalJson(manifest), HOME_KEY);
  entries.push({ name: SIGNATURE_ENTRY, content: toDocument(signature) });
  return pack(entries);
}

async function pack(entries: readonly ParcelEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of packEntries(streamOf(entries))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* streamOf(entries: readonly ParcelEntry[]): AsyncGenerator<ParcelEntry> {
  yield* entries;
}
