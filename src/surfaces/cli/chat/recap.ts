import type {
  SessionMessageShape,
  SessionShape,
} from '../../../operations/sessions/session-shapes.ts';
import { formatDate } from '../print/layout.ts';
import { toOneLine } from '../print/plain-text.ts';
import type { Style } from '../print/style.ts';
import type { Conversation } from './conversation.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { Screen } from './screen.ts';

export interface RecapOptions {
  readonly conversation: Conversation;
  readonly session: SessionShape;
  readonly screen: Screen;
  readonly style: Style;
}

/** Enough to hold the last exchange of nearly every conversation. */
const MESSAGES_READ = 40;
const MAX_SHOWN_CHARS = 4_000;

/** Reminds of where a conversation stands: its last question and answer. */
export async function recap({ conversation, session, screen, style }: RecapOptions): Promise<void> {
  const { title, message_count: count, updated_at: at } = session;
  const messages = `${count} message${count === 1 ? '' : 's'}`;
  const name = toOneLine(title || session.session_id, Math.max(20, screen.columns() - 60));
  screen.line(
    style.dim(`conversation: ${name} (${messages}, ${formatDate(at)}); /new begins another`),
  );
  const said = await conversation.readEnd(MESSAGES_READ);
  const answer = said.findLast(({ role }) => role === 'assistant');
  const question = answer && findQuestion(said, answer);
  if (question) screen.line(style.bold(`› ${toOneLine(question.content, 400)}`));
  if (!answer) return;
  const write = (text: string) => screen.write(text);
  const markdown = new MarkdownStream({ style, columns: () => screen.columns(), write });
  const isCut = answer.content.length > MAX_SHOWN_CHARS;
  markdown.feed(answer.content.slice(0, MAX_SHOWN_CHARS) + (isCut ? ' …' : ''));
  markdown.end();
}

function findQuestion(said: readonly SessionMessageShape[], answer: SessionMessageShape) {
  return said.find(({ role, exchange }) => role === 'user' && exchange === answer.exchange);
}
