import { isJsonObject, type JsonObject } from '../core/json.ts';
import { DEFAULT_PROJECT_ID } from '../core/projects/project-id.ts';
import type { Question, UnclaimedUsage } from './session.ts';
import { countOf, firstText } from './wire.ts';

/** What a frame of the ClawOS dialect says. Its fields have several names, and any may be missing. */
export type ClawosFrame =
  | { readonly kind: 'reply'; readonly key: string; readonly text: string }
  | ({
      readonly kind: 'thought' | 'action';
      readonly text: string;
    } & Origin)
  | ({ readonly kind: 'usage'; readonly usage: UnclaimedUsage } & Origin);

/** Whose it is. */
export interface Origin {
  readonly key: string | undefined;
  readonly projectId: string;
  readonly agentId: string | undefined;
}

export function encodeAgentRequest(question: Question): JsonObject {
  return {
    type: 'agent_request',
    request_id: question.key,
    project_id: question.projectId,
    agent_id: question.remoteAgent,
    agent_name: question.agent.name,
    message: question.message,
    system_prompt: question.system,
    allowed_tools: question.agent.skills,
    memory_scope: question.agent.memoryAccess === 'global' ? 'global' : 'project',
  };
}

const USAGE_KINDS = ['usage_telemetry', 'usage', 'cost_usage'];
const KEYS = ['request_id', 'response_to', 'correlation_id', 'requestId'];
const TEXTS = ['content', 'message', 'text'];

/** Undefined for what is none of these. */
export function decodeClawosFrame(frame: JsonObject): ClawosFrame | undefined {
  const type = firstText(frame, ['type', 'event', 'event_type', 'kind']) ?? '';
  const origin = toOrigin(frame);
  if (USAGE_KINDS.includes(type)) {
    const usage = decodeUsage(frame, origin);
    return usage && { kind: 'usage', ...origin, usage };
  }
  const kind = ['thought', 'action'].find((word) => type.includes(word)) as
    | 'thought'
    | 'action'
    | undefined;
  if (kind !== undefined) {
    const text = firstText(frame, TEXTS);
    return text === undefined ? undefined : { kind, text, ...origin };
  }
  const text = firstText(frame, ['message', 'text', 'content', 'response']);
  if (origin.key === undefined || text === undefined) return undefined;
  return { kind: 'reply', key: origin.key, text };
}

function toOrigin(frame: JsonObject): Origin {
  return {
    key: firstText(frame, KEYS),
    projectId: firstText(frame, ['project_id', 'projectId']) ?? DEFAULT_PROJECT_ID,
    agentId: firstText(frame, ['agent_id', 'agentId']),
  };
}

/** Flat, or below one of these. */
function decodeUsage(frame: JsonObject, origin: Origin): UnclaimedUsage | undefined {
  const nested = ['payload', 'data', 'telemetry'].map((name) => frame[name]).find(isJsonObject);
  const from = { ...frame, ...nested };
  const whose = toOrigin(from);
  const tokensIn = countOf(from['tokens_in'] ?? from['tokensIn']);
  const tokensOut = countOf(from['tokens_out'] ?? from['tokensOut']);
  if (tokensIn === undefined || tokensOut === undefined) return undefined;
  return {
    projectId: whose.projectId,
    agentId: whose.agentId ?? origin.agentId ?? 'openclaw',
    tokensIn: Math.ceil(tokensIn),
    tokensOut: Math.ceil(tokensOut),
    costUsd: countOf(from['cost_usd'] ?? from['costUsd']) ?? 0,
    id: firstText(from, ['id', 'event_id', 'eventId']),
  };
}
