import { RuntimeError } from '../../../core/errors.ts';
import { getAgent } from '../../../operations/agents/agents.ts';
import { toOneLine } from '../print/plain-text.ts';
import { formatWarning } from '../print/style.ts';
import type { CliContext } from '../program/context.ts';
import { listenForKeys } from './chat-keys.ts';
import { ChatLoop } from './chat-loop.ts';
import { findChatPlace } from './chat-place.ts';
import { Conversation, type ConversationStart } from './conversation.ts';
import { createDrawnScreen } from './drawn-screen.ts';
import { openInputHistory } from './input-history.ts';
import { type ChatAccess, openChat } from './open-chat.ts';
import { createPlainScreen } from './plain-screen.ts';

/** A chat on a terminal, until the person leaves it. Throws `cancelled` when the process is told to end. */
export async function chatOnTerminal(
  context: CliContext,
  start: ConversationStart,
  message: string | undefined,
): Promise<void> {
  const { live, parts, root, clock, signal } = context;
  const { style } = live;
  // Once the screen is drawn, a line from elsewhere would end up in the middle of it.
  const warning = { say: live.warn };
  const access = await openChat(context, (text) => warning.say(text));
  try {
    const conversation = new Conversation(access, findChatPlace());
    const session = await conversation.open(start);
    const write = (text: string) => live.write(text);
    const createScreen = parts.isDumbTerminal ? createPlainScreen : createDrawnScreen;
    const screen = createScreen({ write, columns: () => live.columns() });
    const history = await openInputHistory(root);
    const { findClosestName } = parts;
    const loop = new ChatLoop({
      ...{ access, conversation, screen, style, history, clock, findClosestName },
      preview: ({ tool, arguments: input }) => parts.previewEdit({ root, tool, input }),
    });
    warning.say = (text) => screen.line(formatWarning(text, style));
    const stop = () => loop.end();
    for (const end of [signal, live.closed]) end.addEventListener('abort', stop, { once: true });
    const keys = listenForKeys(
      context.input,
      { onKey: loop.press, onEnd: () => loop.end() },
      parts.isDumbTerminal ? undefined : write,
    );
    try {
      const through = access.via === 'server' ? 'through the server' : 'in this process';
      const model = await findModel(access, conversation);
      screen.line(style.dim(`claw ${parts.version}, ${through}${model}; /help lists commands`));
      await loop.run(session, message);
    } finally {
      screen.close();
      keys.close();
      warning.say = live.warn;
    }
  } finally {
    await access.close();
  }
  if (signal.aborted) throw new RuntimeError('cancelled', 'interrupted');
}

/** Who answers; nothing where that can't be told, which the first message will say better. */
async function findModel(access: ChatAccess, conversation: Conversation): Promise<string> {
  try {
    const params = { agent_id: await conversation.findAgent() };
    const { model } = await access.ask(getAgent, { params });
    return `, ${toOneLine(model ?? (await access.describeModel()), MAX_MODEL_CHARS)} answers`;
  } catch {
    return '';
  }
}

const MAX_MODEL_CHARS = 100;
