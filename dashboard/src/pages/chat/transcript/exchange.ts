import type { SessionMessageShape } from '../../../../../src/operations/sessions/session-shapes.ts';
import type { Answer, AnswerPart, ToolCall } from './answer.ts';

/** One message and all that came of it. */
export interface Exchange {
  /** The same for as long as it is shown, whatever is loaded before or said after it. */
  readonly key: string;
  /** As the session counts. What was said before it was opened is all one. */
  readonly number: number;
  readonly runId: string | undefined;
  /** Whether its run answers other messages too, so that its events are not this answer alone. */
  readonly isShared: boolean;
  /** Undefined: it is on the page before, or nobody said anything. */
  readonly question: string | undefined;
  readonly askedAt: string;
  readonly replies: readonly SessionMessageShape[];
  /** Whether its answer is on record. */
  readonly isOver: boolean;
}

/**
 * In order. The first may lack its beginning, which is on the page before. A run of a thread answers many messages; any
 * other run answers its first, and was told the others on the way.
 */
export function groupExchanges(
  messages: readonly SessionMessageShape[],
  isThread = false,
): readonly Exchange[] {
  const groups = new Map<number, SessionMessageShape[][]>();
  for (const message of messages) {
    const group = groups.get(message.exchange) ?? [];
    const last = group.at(-1);
    const isAsked = message.role === 'user' && (isThread || message.run_id === undefined);
    if (last === undefined || isAsked) group.push([message]);
    else last.push(message);
    groups.set(message.exchange, group);
  }
  return [...groups].flatMap(([number, group]) =>
    group.map((said, at) => toExchange(said, { number, at, of: group.length })),
  );
}

/** The same objects where nothing changed, so that what shows them is not drawn again. */
export function keepUnchanged(
  before: readonly Exchange[],
  now: readonly Exchange[],
): readonly Exchange[] {
  const known = new Map(before.map((exchange) => [exchange.key, exchange]));
  return now.map((exchange) => {
    const old = known.get(exchange.key);
    return old !== undefined && isSame(old, exchange) ? old : exchange;
  });
}

function isSame(one: Exchange, other: Exchange): boolean {
  return (
    one.question === other.question &&
    one.runId === other.runId &&
    one.isShared === other.isShared &&
    one.replies.length === other.replies.length &&
    one.replies.every((reply, at) => reply === other.replies[at])
  );
}

interface Place {
  readonly number: number;
  readonly at: number;
  readonly of: number;
}

function toExchange(messages: readonly SessionMessageShape[], { number, at, of }: Place): Exchange {
  const [first, ...rest] = messages;
  const question = first?.role === 'user' ? first : undefined;
  const replies = (question ? rest : messages).filter(({ role }) => role !== 'system');
  const runId = messages.find(({ run_id }) => run_id !== undefined)?.run_id;
  return {
    // A run adds to its end; what was told before is only ever loaded backwards.
    key: runId === undefined ? `${number}.-${of - at}` : `${number}.${at}`,
    number,
    runId,
    isShared: of > 1,
    question: question?.content,
    askedAt: messages[0]?.ts ?? '',
    replies,
    isOver: runId === undefined || replies.some(({ role }) => role === 'assistant'),
  };
}

/** The answer as it is on record: without what was said on the way to it, and without durations. */
export function recallAnswer({ replies, isOver, isShared }: Exchange): Answer {
  const parts = replies.map(recallPart);
  const end = replies.findLast(({ role }) => role === 'assistant');
  if (!isOver) return { parts, state: isShared ? 'working' : 'queued' };
  if (end?.status === undefined) return { parts, state: 'done' };
  const done = parts.filter(({ kind }) => kind !== 'text');
  if (end.status === 'cancelled') return { parts: done, state: 'stopped' };
  return { parts: done, state: 'failed', problem: end.content };
}

function recallPart(message: SessionMessageShape, at: number): AnswerPart {
  if (message.role === 'user') return { kind: 'told', key: `told-${at}`, text: message.content };
  if (message.role === 'assistant') {
    return { kind: 'text', key: `said-${at}`, text: message.content };
  }
  return { kind: 'tool', key: message.tool_call_id ?? `call-${at}`, call: recallCall(message) };
}

function recallCall({ content, tool_name: tool = 'tool' }: SessionMessageShape): ToolCall {
  const record = parse(content);
  if (typeof record !== 'object' || record === null) {
    return { tool, input: undefined, state: 'ok', output: content };
  }
  const { arguments: input, output, error, error_message, summary } = record as ToolRecord;
  const problem = error_message || error;
  return {
    tool,
    input: parse(input ?? ''),
    output: parse(output ?? ''),
    state: problem ? 'failed' : 'ok',
    ...(summary ? { summary } : {}),
    ...(problem ? { error: problem } : {}),
  };
}

interface ToolRecord {
  readonly arguments?: string;
  readonly output?: string;
  readonly error?: string;
  readonly error_message?: string;
  readonly summary?: string;
}

/** JSON where it is some, else the text itself. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}
