import type { AgentId, FactId, JobId, MemoryId, SessionId } from '../ids.ts';
import type { Fact } from '../knowledge/fact.ts';
import { isTrustedSource } from '../memory/given-memory.ts';
import type { RestoredMemory } from '../memory/restore-write.ts';
import type { Notify } from '../schedule/job.ts';
import type { NewJob } from '../schedule/job-store.ts';
import type { Session, SessionMessage } from '../sessions/session.ts';
import type { SessionSummary } from '../sessions/session-store.ts';
import type { Clean } from './encode-rows.ts';
import type {
  ParcelFact,
  ParcelJob,
  ParcelMemory,
  ParcelMessage,
  ParcelSession,
} from './parcel-shapes.ts';

/** Whose it becomes, and without the secrets that are known here. */
export interface Ownership {
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly clean: Clean;
}

/** Under another id. Its messages count themselves. */
export function decodeSession(
  row: ParcelSession,
  ids: { readonly id: SessionId; readonly forkedFrom: SessionId | undefined },
  { agentId, clean }: Ownership,
): Session {
  return {
    ...ids,
    agentId,
    owner: row.owner,
    channel: row.channel,
    userId: row.user_id,
    roomId: row.room_id,
    title: clean.redactText(row.title),
    messageCount: 0,
    lastExchange: 0,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    closedAtMs: row.closed_at_ms ?? undefined,
  };
}

export function decodeSummary(
  { summary }: ParcelSession,
  { clean }: Ownership,
): SessionSummary | undefined {
  if (summary === null) return undefined;
  const { text, ...through } = summary;
  return { text: clean.redactText(text), through };
}

export function decodeMessage(row: ParcelMessage, { clean }: Ownership): SessionMessage {
  return {
    exchange: row.exchange,
    position: row.position,
    role: row.role,
    content: clean.redactText(row.content),
    toolName: row.tool_name ?? undefined,
    toolCallId: row.tool_call_id ?? undefined,
    status: row.status ?? undefined,
    runId: undefined,
    atMs: row.at_ms,
  };
}

/** What was not trusted is not trusted here either; pinned it is only when somebody here says so. */
export function decodeMemory(
  row: ParcelMemory,
  given: {
    readonly id: MemoryId;
    readonly sessionId: string | undefined;
    readonly approvesPins: boolean;
  },
  { agentId, agentName, clean }: Ownership,
): RestoredMemory {
  const isPinned = row.pinned && given.approvesPins;
  return {
    id: given.id,
    owner: row.owner,
    ...{ agentId, agentName },
    projectId: row.project_id,
    sessionId: given.sessionId,
    content: clean.redactText(row.content),
    source: clean.redactText(row.source),
    tags: row.tags.map((tag) => clean.redactText(tag)),
    timestampMs: row.timestamp_ms,
    extra: clean.redact(row.extra, 'metadata').value,
    pinned: isPinned,
    pinReason: isPinned ? clean.redactText(row.pin_reason ?? '') : undefined,
    priorityScore:
      row.pinned && !isPinned ? (row.unpinned_score ?? row.priority_score) : row.priority_score,
    unpinnedScore: isPinned ? (row.unpinned_score ?? undefined) : undefined,
    isPrivate: row.is_private,
    isTrusted: row.is_trusted && isTrustedSource(row.source),
    accessCount: row.access_count,
    accessedAtMs: row.accessed_at_ms,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

export function decodeFact(row: ParcelFact, id: FactId, { agentId, clean }: Ownership): Fact {
  return {
    id,
    owner: row.owner,
    projectId: row.project_id,
    subject: clean.redactText(row.subject),
    relation: clean.redactText(row.relation),
    object: clean.redactText(row.object),
    validFromMs: row.valid_from_ms,
    validToMs: row.valid_to_ms ?? undefined,
    source: clean.redactText(row.source),
    agentId,
    isPrivate: row.is_private,
    createdAtMs: row.created_at_ms,
  };
}

/** Paused: whoever takes it in looks first at what it would do. */
export function decodeJob(
  row: ParcelJob,
  given: { readonly id: JobId; readonly notify: Notify },
  { agentId, clean }: Ownership,
): NewJob {
  return {
    ...given,
    agentId,
    owner: row.owner,
    schedule: row.schedule,
    message: clean.redactText(row.message),
    mode: row.mode,
    isEnabled: false,
    timezone: row.timezone,
    catchUp: row.catch_up,
    anchorMs: row.anchor_ms,
    nextSlotMs: row.next_slot_ms ?? undefined,
  };
}
