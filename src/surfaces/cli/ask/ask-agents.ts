import { DEFAULT_AGENT_ID } from '../../../core/ids.ts';
import {
  type AgentReading,
  type AgentWriting,
  getAgent,
} from '../../../operations/agents/agents.ts';
import { namingAgent } from '../admin-arguments.ts';
import type { CliContext } from '../program/context.ts';
import { createAgentReader } from '../store-readers.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, fromStore, type Place } from './place.ts';

const AGENTS: Place<AgentReading, AgentWriting> = {
  read: fromStore((store) => ({ agents: createAgentReader(store) })),
  write: fromRuntime(({ agents }) => ({ agents })),
};

export const askAgents = askAt(AGENTS);

/** Without a writer: the first agent comes with the state root, and one that is not there must not create it. */
export async function assertAgent(context: CliContext, id: string): Promise<void> {
  if (id === DEFAULT_AGENT_ID) return;
  await namingAgent(id, askAgents(context, getAgent, { params: { agent_id: id } }));
}
