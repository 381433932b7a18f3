import type { AgentId, RunId, SessionId } from '../ids.ts';
import type { ToolTrait } from '../tools/tool.ts';

/** Where a conversation takes place. A thread of `/internal/v1` and a session of the CLI are places too. */
export interface Place {
  /** `http`, `main`, `thread`, `cli`, … */
  readonly channel: string;
  readonly userId: string;
  readonly roomId: string;
}

export function isSamePlace(a: Place, b: Place): boolean {
  return a.channel === b.channel && a.userId === b.userId && a.roomId === b.roomId;
}

/** One conversation between a principal and an agent, in one place. */
export interface Session extends Place {
  readonly id: SessionId;
  readonly agentId: AgentId;
  /** Whose it is: `operator`, or a principal such as `user:42`. */
  readonly owner: string;
  /** The beginning of its first message; empty before that. */
  readonly title: string;
  readonly messageCount: number;
  /** The number of its newest exchange; 0 before the first. */
  readonly lastExchange: number;
  /** Where it branched off, when it is a fork. */
  readonly forkedFrom: SessionId | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly closedAtMs: number | undefined;
}

export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

/** How the run behind an assistant's message ended, when it did not end well. */
export type MessageStatus = 'failed' | 'cancelled';

/**
 * An exchange is one message and everything that came of it: a run's share of its session. Exchanges are numbered
 * when they are accepted, so a message sent while a run goes on stands behind all that this run still says.
 */
export interface MessagePlace {
  readonly exchange: number;
  /** The `seq` of the event it was recorded with; messages that no run recorded count up from 0. */
  readonly position: number;
}

/** Whether the first comes after the second. */
export function isBehind(place: MessagePlace, other: MessagePlace): boolean {
  if (place.exchange !== other.exchange) return place.exchange > other.exchange;
  return place.position > other.position;
}

export interface SessionMessage extends MessagePlace {
  readonly role: MessageRole;
  /** Plain text; a tool's is the JSON text of a `ToolRecord`. */
  readonly content: string;
  readonly toolName: string | undefined;
  readonly toolCallId: string | undefined;
  readonly status: MessageStatus | undefined;
  readonly runId: RunId | undefined;
  readonly atMs: number;
}

/** What an event adds to the session of its run, before redaction. */
export interface MessageDraft {
  readonly role: MessageRole;
  readonly content: string | ToolRecord;
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly status?: MessageStatus;
}

/** What a session remembers of a tool call. Bounded when it is made: sessions never hold outputs at full size. */
export type ToolRecord = {
  readonly tool: string;
  readonly id: string;
  readonly summary: string;
  /** JSON text, cut. */
  readonly output: string;
  /** Empty when the call succeeded. */
  readonly error: string;
  readonly error_code: string;
  readonly error_message: string;
  /** JSON text of the input; empty when it was too long to keep. */
  readonly arguments: string;
  readonly effect?: 'read' | 'write';
  /** What the call brought into the conversation: whoever reads its record later has seen that too. */
  readonly traits?: readonly ToolTrait[];
};

/** A message after redaction. Stores accept nothing else. */
export interface SealedMessage {
  readonly role: MessageRole;
  readonly content: string;
  readonly toolName: string | undefined;
  readonly toolCallId: string | undefined;
  readonly status: MessageStatus | undefined;
}

/** The longest title, in code points. */
const MAX_TITLE_CHARS = 80;

const HALF_A_PAIR = /[\ud800-\udbff]$/;

/** How far into a message a title is looked for: most of it may be white space, and all of it may be long. */
const MAX_TITLE_UNITS = 16 * MAX_TITLE_CHARS;

/** One line of a first message, for lists. */
export function toTitle(content: string): string {
  const trimmed = content.trim();
  const part = trimmed.slice(0, MAX_TITLE_UNITS).replace(HALF_A_PAIR, '');
  const points = Array.from(part.replaceAll(/\s+/g, ' '));
  const isWhole = part.length === trimmed.length && points.length <= MAX_TITLE_CHARS;
  return isWhole
    ? points.join('')
    : `${points
        .slice(0, MAX_TITLE_CHARS - 1)
        .join('')
        .trimEnd()}…`;
}
