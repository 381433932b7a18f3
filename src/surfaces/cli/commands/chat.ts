import { MAX_MESSAGE_CHARS } from '../../../core/chat/chat-request.ts';
import type { JsonObject } from '../../../core/json.ts';
import { parseAgentArgument } from '../admin-arguments.ts';
import { assertAgent } from '../ask/ask-agents.ts';
import { assertSession } from '../ask/ask-sessions.ts';
import type { ConversationStart } from '../chat/conversation.ts';
import { chatOnce, type OneShot } from '../chat/one-shot.ts';
import { chatOnTerminal } from '../chat/terminal-chat.ts';
import { toPlainText } from '../print/plain-text.ts';
import { defineCommand } from '../program/command.ts';
import type { CliContext } from '../program/context.ts';
import { parseError } from '../program/errors.ts';
import type { Failure } from '../program/failure.ts';
import { readText, type TextQuestion } from '../read-message.ts';
import { toRunFault } from './runs/run-fault.ts';
import { toAnswerFields } from './runs/run-fields.ts';
import { toWaitingFault } from './runs/run-questions.ts';
import { parseSessionArgument } from './sessions/session-argument.ts';

const MESSAGE: TextQuestion = {
  command: 'chat',
  what: 'message',
  maxChars: MAX_MESSAGE_CHARS,
  hint: 'give it as an argument, on standard input, or on a terminal',
};

/** A chat on a terminal leaves nothing to be said. */
type Chatted = OneShot | { readonly kind: 'left' };

export const chat = defineCommand({
  usage: '[MESSAGE] [--session ID | --new] [--agent ID]',
  description:
    'On a terminal, a conversation: answers as they are written, tools, questions to you, /help for commands. It goes on\n' +
    'where the last one ended. In a pipe, one message and its answer, as claw ask gives it, but in a conversation.\n' +
    'Through the running server, else in this process.',
  args: { min: 0, max: 100 },
  options: {
    session: { kind: 'text', value: 'ID', summary: 'the conversation to go on with' },
    new: { kind: 'flag', summary: 'begin another conversation' },
    agent: { kind: 'text', value: 'ID', summary: 'the agent to talk to' },
  },
  examples: [
    'claw chat',
    'claw chat --new "let us plan the release"',
    'git log -5 | claw chat --session session_01jv8z4q0k6c',
  ],
  handlesInterrupt: true,
  async run({ args, options }, context): Promise<Chatted> {
    const start = parseStart(options);
    const isTerminal = context.live.isTerminal && context.input.isTTY === true;
    const message = isTerminal ? '' : await readText(args, context.input, MESSAGE);
    await assertStart(context, start);
    if (!isTerminal) return chatOnce(context, start, message);
    await chatOnTerminal(context, start, args.length === 0 ? undefined : args.join(' '));
    return { kind: 'left' };
  },
  fields: encodeChatted,
  text: (chatted) => {
    if (chatted.kind === 'left') return '';
    return chatted.kind === 'told' ? toPlainText(chatted.response) : chatted.rest;
  },
  failure: toChatFailure,
});

function parseStart(options: {
  readonly session: string | undefined;
  readonly new: boolean;
  readonly agent: string | undefined;
}): ConversationStart {
  const { session, new: isNew, agent } = options;
  if (session !== undefined && isNew) {
    throw parseError('a conversation is either --new or has a --session', { target: 'chat' });
  }
  return {
    sessionId: session === undefined ? undefined : parseSessionArgument(session, 'chat'),
    isNew,
    agentId: agent === undefined ? undefined : parseAgentArgument(agent, 'chat'),
  };
}

/** Without a writer: a mistyped id must not create a state root. */
async function assertStart(context: CliContext, start: ConversationStart): Promise<void> {
  const { sessionId: id, agentId } = start;
  if (agentId !== undefined) await assertAgent(context, agentId);
  if (id !== undefined) await assertSession(context, id);
}

function encodeChatted(chatted: Chatted): JsonObject {
  switch (chatted.kind) {
    case 'left':
      return {};
    case 'told':
      return {
        response: chatted.response,
        session_id: chatted.sessionId ?? null,
        via: chatted.via,
      };
    case 'asked': {
      const { run, sessionId, approval, via } = chatted;
      return {
        run_id: run.id,
        session_id: sessionId,
        agent_id: run.agent_id,
        status: run.status,
        ...(approval === undefined ? {} : { approval_id: approval.id }),
        stop_reason: run.stop_reason,
        ...toAnswerFields(run),
        via,
      };
    }
  }
}

function toChatFailure(chatted: Chatted): Failure | undefined {
  if (chatted.kind !== 'asked' || chatted.run.status === 'completed') return undefined;
  const { run, approval, stoppedBy, via } = chatted;
  if (stoppedBy === 'approval') return { exitCode: 1, error: toWaitingFault(run, approval, via) };
  return { exitCode: 1, error: toRunFault(run) };
}
