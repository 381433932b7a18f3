import type { Agent } from '../agents/agent.ts';
import { type AgentDirectory, resolveAgent } from '../agents/resolve-agent.ts';
import { toIso } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { Session } from '../sessions/session.ts';
import type { AgentPlace } from '../sessions/session-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AnsweredCommand, ChatRequest } from './chat-request.ts';
import { type AgentChoice, chooseAgent } from './choose-agent.ts';
import type { ChatCommand } from './parse-command.ts';

export interface CommandDeps extends AgentChoice {
  readonly sessions: Pick<
    Sessions,
    'start' | 'resume' | 'list' | 'findActiveAgent' | 'setActiveAgent'
  >;
  readonly agents: AgentDirectory;
}

const MAX_CHATS = 10;
const MAX_AGENTS = 50;

/** Names that callers make up are as long as they like. */
const MAX_ECHOED_CHARS = 128;

const HELP = [
  'Commands:',
  '/new starts a new chat; the old one is kept.',
  '/chats (or /sessions) lists the newest chats here.',
  '/resume <session id> goes on with one of them.',
  '/agents lists the agents.',
  '/agent says which agent answers here; /agent <agent id> chooses another.',
  '/help shows this.',
  'Anything else goes to the agent.',
].join('\n');

/** Answers a command at once. Nothing of it enters a conversation, also when it fails. */
export async function answerCommand(
  deps: CommandDeps,
  request: ChatRequest,
  command: ChatCommand,
): Promise<AnsweredCommand> {
  switch (command.name) {
    case 'usage':
      return say(`Usage: ${command.usage}`);
    case 'help':
      return say(HELP);
    case 'agents': {
      const chosen = await findAgent(deps, await chooseAgent(deps, request));
      return say(listAgents(await deps.agents.list(), chosen));
    }
    case 'agent':
      return command.agentId === undefined
        ? say(`Agent here: ${await chooseAgent(deps, request)}`)
        : switchAgent(deps, request, command.agentId);
    case 'new':
    case 'resume':
    case 'chats': {
      const chosen = await chooseAgent(deps, request);
      const agent = await findAgent(deps, chosen);
      if (!agent) return noAgent(chosen);
      return answerOnSessions(deps, { ...request.place, agentId: agent.id }, command);
    }
  }
}

async function answerOnSessions(
  { sessions }: CommandDeps,
  place: AgentPlace,
  command: Extract<ChatCommand, { name: 'new' | 'resume' | 'chats' }>,
): Promise<AnsweredCommand> {
  switch (command.name) {
    case 'new': {
      const { id } = await sessions.start(place);
      return { kind: 'answered', response: `Started new chat: ${id}`, sessionId: id };
    }
    case 'resume':
      return resume(sessions, place, command.sessionId);
    case 'chats': {
      const filter = { ...place, includeClosed: false, limit: MAX_CHATS };
      return say(listChats((await sessions.list(filter)).sessions));
    }
  }
}

async function resume(
  sessions: Pick<Sessions, 'resume'>,
  place: AgentPlace,
  given: string,
): Promise<AnsweredCommand> {
  const result = await sessions.resume(given, place);
  switch (result.outcome) {
    case 'resumed': {
      const { id } = result.session;
      return { kind: 'answered', response: `Resumed chat: ${id}`, sessionId: id };
    }
    case 'closed':
      return say(`Chat ${given} is closed and takes no more messages. The current chat stays.`);
    // One answer for both: whether somebody else has a chat of that id is nobody's business here.
    case 'missing':
    case 'elsewhere':
      return say(
        `Chat not found: ${echo(given)}. Looked among the chats of user ${place.userId} with agent ${place.agentId} ` +
          `in room ${place.roomId} of channel ${place.channel}. The current chat stays; /chats lists the others.`,
      );
  }
}

async function switchAgent(
  deps: CommandDeps,
  request: ChatRequest,
  given: string,
): Promise<AnsweredCommand> {
  const agent = await findAgent(deps, given);
  if (!agent) return noAgent(given);
  await deps.sessions.setActiveAgent(request.place, agent.id);
  return say(`Agent here is now ${agent.slug}, for messages that name none.`);
}

/** A name that several have is nobody's here: the list shows how to tell them apart. */
async function findAgent({ agents }: CommandDeps, reference: string): Promise<Agent | undefined> {
  try {
    return await resolveAgent(agents, reference);
  } catch (thrown) {
    if (thrown instanceof RuntimeError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

function listChats(sessions: readonly Session[]): string {
  if (sessions.length === 0) return 'No chats found';
  const lines = sessions.map(({ id, title, updatedAtMs }, at) => {
    return `${at + 1}. ${title === '' ? '(no messages yet)' : title} | ${id} | ${toIso(updatedAtMs)}`;
  });
  return ['Recent chats:', ...lines].join('\n');
}

function listAgents(agents: readonly Agent[], chosen: Agent | undefined): string {
  const lines = agents.slice(0, MAX_AGENTS).map(({ id, slug, name }) => {
    return `- ${slug}: ${name}${id === chosen?.id ? ' (answers here)' : ''}`;
  });
  const more = agents.length - lines.length;
  return ['Agents:', ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function noAgent(given: string): AnsweredCommand {
  return say(`Agent not found: ${echo(given)}. /agents lists those there are.`);
}

function say(response: string): AnsweredCommand {
  return { kind: 'answered', response };
}

function echo(given: string): string {
  // No character has more than two units: what is cut off here leaves more than enough of them.
  const chars = Array.from(given.slice(0, 2 * MAX_ECHOED_CHARS + 1));
  return chars.length <= MAX_ECHOED_CHARS ? given : `${chars.slice(0, MAX_ECHOED_CHARS).join('')}…`;
}
