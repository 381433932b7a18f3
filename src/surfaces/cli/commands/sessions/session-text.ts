import { isJsonObject } from '../../../../core/json.ts';
import type {
  SessionMessageShape,
  SessionShape,
} from '../../../../operations/sessions/session-shapes.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_PLACE_CHARS = 256;
const MAX_TOOL_CHARS = 200;

export function formatSession(session: SessionShape, style: Style): string {
  return formatFacts(
    [
      ['session', session.session_id],
      ['title', toOneLine(session.title, MAX_PLACE_CHARS)],
      ['agent', session.agent_id],
      ['channel', toOneLine(session.channel, MAX_PLACE_CHARS)],
      ['user', toOneLine(session.user_id, MAX_PLACE_CHARS)],
      ['room', toOneLine(session.room_id, MAX_PLACE_CHARS)],
      ['messages', String(session.message_count)],
      ['exchanges', String(session.last_exchange)],
      ['forked from', session.forked_from ?? ''],
      ['created', formatDate(session.created_at)],
      ['updated', formatDate(session.updated_at)],
      ['closed', formatDate(session.closed_at)],
    ],
    style,
  );
}

export function formatMessage(message: SessionMessageShape, style: Style): string {
  const { role, status } = message;
  const ended = status === undefined ? '' : ` (${status})`;
  const head = style.bold(`${role}${ended}`) + style.dim(`  ${formatDate(message.ts)}`);
  const body = role === 'tool' ? describeTool(message) : toPlainText(message.content);
  return `${head}\n${body}`;
}

/** What became of a call in one line; its record is for programs. */
function describeTool({ content, tool_name: name = '' }: SessionMessageShape): string {
  const record = parseRecord(content);
  if (record === undefined) return toOneLine(content, MAX_TOOL_CHARS);
  const [error, summary] = [record['error'], record['summary']];
  const failed = typeof error === 'string' && error !== '';
  const said = failed ? error : typeof summary === 'string' ? summary : '';
  const line = `${name} ${failed ? 'failed' : 'ok'}${said === '' ? '' : `: ${said}`}`;
  return toOneLine(line, MAX_TOOL_CHARS);
}

function parseRecord(content: string) {
  try {
    const record: unknown = JSON.parse(content);
    return isJsonObject(record) ? record : undefined;
  } catch {
    // Cut by a cap, or written by somebody else: shown as it is.
    return undefined;
  }
}
