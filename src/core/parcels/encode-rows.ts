import type { Agent } from '../agents/agent.ts';
import type { Fact } from '../knowledge/fact.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import type { CapabilityChange } from '../policy/capability-store.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Job } from '../schedule/job.ts';
import type { Session, SessionMessage } from '../sessions/session.ts';
import type { SessionSummary } from '../sessions/session-store.ts';
import type {
  ParcelAgent,
  ParcelFact,
  ParcelJob,
  ParcelMemory,
  ParcelMessage,
  ParcelSession,
} from './parcel-shapes.ts';

/** A secret that became known after a text was stored is still in there: all texts are cleaned on their way out. */
export type Clean = Pick<Redactor, 'redact' | 'redactText'>;

export function encodeAgent(
  agent: Agent,
  capabilities: readonly CapabilityChange[],
  clean: Clean,
): ParcelAgent {
  return {
    id: agent.id,
    slug: agent.slug,
    name: clean.redactText(agent.name),
    role: clean.redactText(agent.role),
    model: agent.model ?? null,
    personality_template: agent.personalityTemplate ?? null,
    voice_id: agent.voiceId ?? null,
    skills: [...agent.skills],
    memory_access: agent.memoryAccess,
    capabilities: capabilities.map(({ tool, effect }) => ({ tool, effect })),
  };
}

export function encodeSession(
  session: Session,
  summary: SessionSummary | undefined,
  clean: Clean,
): ParcelSession {
  return {
    type: 'session',
    id: session.id,
    owner: session.owner,
    channel: session.channel,
    user_id: session.userId,
    room_id: session.roomId,
    title: clean.redactText(session.title),
    forked_from: session.forkedFrom ?? null,
    created_at_ms: session.createdAtMs,
    updated_at_ms: session.updatedAtMs,
    closed_at_ms: session.closedAtMs ?? null,
    summary: summary ? { text: clean.redactText(summary.text), ...summary.through } : null,
  };
}

/** The run that said it stays behind. */
export function encodeMessage(message: SessionMessage, clean: Clean): ParcelMessage {
  return {
    type: 'message',
    exchange: message.exchange,
    position: message.position,
    role: message.role,
    content: clean.redactText(message.content),
    tool_name: message.toolName ?? null,
    tool_call_id: message.toolCallId ?? null,
    status: message.status ?? null,
    at_ms: message.atMs,
  };
}

export function encodeMemory(memory: StoredMemory, clean: Clean): ParcelMemory {
  return {
    id: memory.id,
    owner: memory.owner,
    project_id: memory.projectId,
    session_id: memory.sessionId ?? null,
    content: clean.redactText(memory.content),
    source: clean.redactText(memory.source),
    tags: memory.tags.map((tag) => clean.redactText(tag)),
    timestamp_ms: memory.timestampMs,
    extra: clean.redact(memory.extra, 'metadata').value as ParcelMemory['extra'],
    priority_score: memory.priorityScore,
    pinned: memory.pinned,
    pin_reason: memory.pinReason === undefined ? null : clean.redactText(memory.pinReason),
    unpinned_score: memory.unpinnedScore ?? null,
    is_private: memory.isPrivate,
    is_trusted: memory.isTrusted,
    access_count: memory.accessCount,
    accessed_at_ms: memory.accessedAtMs,
    created_at_ms: memory.createdAtMs,
    updated_at_ms: memory.updatedAtMs,
  };
}

export function encodeFact(fact: Fact, clean: Clean): ParcelFact {
  return {
    id: fact.id,
    owner: fact.owner,
    project_id: fact.projectId,
    subject: clean.redactText(fact.subject),
    relation: clean.redactText(fact.relation),
    object: clean.redactText(fact.object),
    valid_from_ms: fact.validFromMs,
    valid_to_ms: fact.validToMs ?? null,
    source: clean.redactText(fact.source),
    is_private: fact.isPrivate,
    created_at_ms: fact.createdAtMs,
  };
}

const NOBODY = { channel: 'none', target: '' } as const;

/** Whom it tells comes along only when that is the agent itself or one of its sessions: others stay where they are. */
export function encodeJob(
  job: Job,
  isOwn: (notify: Job['notify']) => boolean,
  clean: Clean,
): ParcelJob {
  const { channel, target } = isOwn(job.notify) ? job.notify : NOBODY;
  return {
    id: job.id,
    owner: job.owner,
    schedule: job.schedule,
    message: clean.redactText(job.message),
    mode: job.mode,
    notify: { channel, target },
    timezone: job.timezone,
    catch_up: job.catchUp,
    anchor_ms: job.anchorMs,
    next_slot_ms: job.nextSlotMs ?? null,
  };
}
