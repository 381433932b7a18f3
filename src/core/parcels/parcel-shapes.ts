import * as z from 'zod';
import { MEMORY_ACCESSES } from '../agents/agent.ts';
import { MAX_SOUL_CHARS } from '../agents/agent-files.ts';
import { SLUG_PATTERN } from '../agents/agent-slug.ts';
import { AGENT_ID_PATTERN, JOB_ID_PATTERN, SESSION_ID_PATTERN } from '../ids.ts';
import { MAX_OBJECT_CHARS, MAX_RELATION_CHARS, MAX_SUBJECT_CHARS } from '../knowledge/facts.ts';
import { MAX_CONTENT_CHARS, MAX_PRIORITY, MAX_TAG_CHARS } from '../memory/given-memory.ts';
import { MAX_TAGS } from '../memory/ingest-write.ts';
import { PROJECT_ID_PATTERN } from '../projects/project-id.ts';
import { JOB_MODES, NOTIFY_CHANNELS } from '../schedule/job.ts';
import { MAX_JOB_MESSAGE_CHARS } from '../schedule/job-fields.ts';
import { MAX_SCHEDULE_CHARS } from '../schedule/parse-schedule.ts';
import { MAX_COUNTS, MAX_ENTRIES, MAX_ENTRY_BYTES, PARCEL_FORMAT } from './parcel-format.ts';

/** What a parcel says, in the words of its file. Members that are not listed here are refused: nothing slips in. */

/** A text in which secrets were replaced may be longer than one that was given. */
const SLACK = 2;
const MAX_WORD_CHARS = 512;
const MAX_NAME_CHARS = 200;
const MAX_LONG_CHARS = 4 * 1024 * 1024;
const MAX_EXTRA_MEMBERS = 1_000;

/** What every engine stores as it is. */
const storable = (maxChars: number) =>
  z
    .string()
    .max(SLACK * maxChars)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), { error: 'is no plain text' });

const word = storable(MAX_WORD_CHARS);
/** Of conversations: whatever was said. */
const said = z.string().max(MAX_LONG_CHARS);
/** Any moment that a date can have, and before 1970. */
const MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const ms = z.int().min(-MAX_MS).max(MAX_MS);
const count = z.int().nonnegative();
const sessionId = z.string().regex(SESSION_ID_PATTERN);
/** `operator`, or a principal. */
const owner = word.min(1);
const projectId = z.string().regex(PROJECT_ID_PATTERN);

export const parcelAgent = z.strictObject({
  id: z.string().regex(AGENT_ID_PATTERN),
  slug: z.string().regex(SLUG_PATTERN),
  name: storable(MAX_NAME_CHARS).min(1),
  role: storable(MAX_NAME_CHARS),
  model: word.min(1).nullable(),
  personality_template: word.nullable(),
  voice_id: word.nullable(),
  skills: z.array(word.min(1)).max(50),
  memory_access: z.enum(MEMORY_ACCESSES),
  capabilities: z
    .array(z.strictObject({ tool: word.min(1), effect: z.enum(['grant', 'revoke']) }))
    .max(1_000),
});

export const parcelSoul = storable(MAX_SOUL_CHARS);

export const parcelSession = z.strictObject({
  type: z.literal('session'),
  id: sessionId,
  owner,
  channel: said,
  user_id: said,
  room_id: said,
  title: said,
  forked_from: sessionId.nullable(),
  created_at_ms: ms,
  updated_at_ms: ms,
  closed_at_ms: ms.nullable(),
  summary: z.strictObject({ text: said, exchange: count, position: z.int() }).nullable(),
});

export const parcelMessage = z.strictObject({
  type: z.literal('message'),
  exchange: z.int().positive(),
  position: count,
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: said,
  tool_name: said.nullable(),
  tool_call_id: said.nullable(),
  status: z.enum(['failed', 'cancelled']).nullable(),
  at_ms: ms,
});

export const parcelConversation = z.discriminatedUnion('type', [parcelSession, parcelMessage]);

const score = z.int().min(0).max(MAX_PRIORITY);

export const parcelMemory = z.strictObject({
  id: z.string().max(MAX_WORD_CHARS),
  owner,
  project_id: projectId,
  session_id: word.nullable(),
  content: storable(MAX_CONTENT_CHARS).min(1),
  source: word.min(1),
  tags: z.array(storable(MAX_TAG_CHARS)).max(MAX_TAGS),
  timestamp_ms: ms,
  extra: z
    .record(z.string(), z.json())
    .refine((extra) => Object.keys(extra).length <= MAX_EXTRA_MEMBERS),
  priority_score: score,
  pinned: z.boolean(),
  pin_reason: word.nullable(),
  unpinned_score: score.nullable(),
  is_private: z.boolean(),
  is_trusted: z.boolean(),
  access_count: count,
  accessed_at_ms: ms,
  created_at_ms: ms,
  updated_at_ms: ms,
});

export const parcelFact = z.strictObject({
  id: z.string().max(MAX_WORD_CHARS),
  owner,
  project_id: projectId,
  subject: storable(MAX_SUBJECT_CHARS).min(1),
  relation: storable(MAX_RELATION_CHARS).min(1),
  object: storable(MAX_OBJECT_CHARS).min(1),
  valid_from_ms: ms,
  valid_to_ms: ms.nullable(),
  source: word,
  is_private: z.boolean(),
  created_at_ms: ms,
});

export const parcelJob = z.strictObject({
  id: z.string().regex(JOB_ID_PATTERN),
  owner,
  schedule: z.string().min(1).max(MAX_SCHEDULE_CHARS),
  message: z
    .string()
    .min(1)
    .max(SLACK * MAX_JOB_MESSAGE_CHARS),
  mode: z.enum(JOB_MODES),
  notify: z.strictObject({ channel: z.enum(NOTIFY_CHANNELS), target: word }),
  timezone: word.min(1),
  catch_up: z.enum(['none', 'once']),
  anchor_ms: ms,
  next_slot_ms: ms.nullable(),
});

/** The release is checked by whoever knows releases. */
export const parcelSkill = z.strictObject({ release: z.record(z.string(), z.json()) });

const bounded = <Name extends keyof typeof MAX_COUNTS>(name: Name) =>
  z.int().min(0).max(MAX_COUNTS[name]);

export const parcelManifest = z.strictObject({
  format: z.literal(PARCEL_FORMAT),
  version: z.int().positive(),
  agent: z.strictObject({
    id: parcelAgent.shape.id,
    slug: parcelAgent.shape.slug,
    name: parcelAgent.shape.name,
  }),
  counts: z.strictObject({
    skills: bounded('skills'),
    sessions: bounded('sessions'),
    messages: bounded('messages'),
    memories: bounded('memories'),
    facts: bounded('facts'),
    jobs: bounded('jobs'),
    audit_events: bounded('audit_events'),
  }),
  entries: z
    .array(
      z.strictObject({
        name: z.string().max(100),
        bytes: z.int().min(0).max(MAX_ENTRY_BYTES),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(MAX_ENTRIES),
});

const base64 = (bytes: number) =>
  z.string().refine((text) => {
    const decoded = Buffer.from(text, 'base64');
    return decoded.length === bytes && decoded.toString('base64') === text;
  });

export const parcelSignature = z.strictObject({
  algorithm: z.literal('ed25519'),
  key_id: z.string().regex(/^[0-9a-f]{16}$/),
  public_key: base64(32),
  value: base64(64),
});

export type ParcelAgent = z.infer<typeof parcelAgent>;
export type ParcelSession = z.infer<typeof parcelSession>;
export type ParcelMessage = z.infer<typeof parcelMessage>;
export type ParcelMemory = z.infer<typeof parcelMemory>;
export type ParcelFact = z.infer<typeof parcelFact>;
export type ParcelJob = z.infer<typeof parcelJob>;
export type ParcelManifest = z.infer<typeof parcelManifest>;
export type ParcelSignature = z.infer<typeof parcelSignature>;
