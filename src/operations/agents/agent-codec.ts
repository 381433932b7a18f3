import type { Agent } from '../../core/agents/agent.ts';
import { toSoulPath } from '../../core/agents/agent-files.ts';
import { runtimeOf } from '../../core/agents/agent-runtime.ts';
import type { AgentPage, GivenAgent } from '../../core/agents/agents.ts';
import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { AGENT_ID_PATTERN } from '../../core/ids.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type {
  AgentFieldsShape,
  AgentListShape,
  AgentShape,
  ApprovalHeadersShape,
  ProfileShape,
} from './agent-shapes.ts';

export function encodeAgent(agent: Agent): AgentShape {
  return {
    agent_id: agent.id,
    slug: agent.slug,
    name: agent.name,
    role: agent.role,
    model: agent.model ?? null,
    runtime: runtimeOf(agent),
    instructions: agent.instructions,
    personality_template: agent.personalityTemplate ?? null,
    voice_id: agent.voiceId ?? null,
    skills: [...agent.skills],
    memory_access: agent.memoryAccess,
    status: agent.status,
    created_at: toIso(agent.createdAtMs),
    updated_at: toIso(agent.updatedAtMs),
  };
}

export function encodeAgentPage({ agents, next }: AgentPage): AgentListShape {
  return {
    agents: agents.map(encodeAgent),
    next_cursor: next === undefined ? null : encodeCursor(next),
  };
}

/** In the words of contract 2. */
export function encodeProfile(agent: Agent): ProfileShape {
  return {
    id: agent.id,
    name: agent.name,
    role: agent.role,
    personality_path: toSoulPath(agent.slug),
    voice_id: agent.voiceId ?? null,
    skills: [...agent.skills],
    memory_access: agent.memoryAccess,
    status: agent.status,
    slug: agent.slug,
    personality_template: agent.personalityTemplate ?? null,
    created_at: toIso(agent.createdAtMs),
    updated_at: toIso(agent.updatedAtMs),
  };
}

export function decodeAgentCursor(cursor: string): string {
  return decodeCursor(cursor, (place) => AGENT_ID_PATTERN.test(place));
}

export function decodeAgentFields(fields: AgentFieldsShape): GivenAgent {
  const { name, role, model, runtime, instructions, skills } = fields;
  return {
    ...defined({
      ...{ name, role, model, runtime, instructions, skills },
      personalityTemplate: fields.personality_template,
      voiceId: fields.voice_id,
      memoryAccess: fields.memory_access,
    }),
  };
}

export function decodeApproval(headers: ApprovalHeadersShape): { isMemoryApproved: boolean } {
  const said = headers['x-clawos-global-memory-approved'] ?? '';
  return { isMemoryApproved: said.trim().toLowerCase() === 'true' };
}
