import type { ApprovalId, RunId, SessionId } from '../ids.ts';
import { isTerminal, type RunStatus } from '../runs/run.ts';
import { cutLine } from './cut-text.ts';
import type { MessageRole, Session } from './session.ts';

/** What is going on in a session, as a store finds it. */
export interface SessionGlance {
  readonly sessionId: SessionId;
  /** The newest message of a person or the agent; its content may be cut. */
  readonly lastMessage: SeenMessage | undefined;
  /** The oldest run that has not ended and does not rest, else the newest of all. */
  readonly run: SeenRun | undefined;
  /** The question that this run asks a person. */
  readonly approvalId: ApprovalId | undefined;
}

export interface SeenMessage {
  readonly role: MessageRole;
  readonly content: string;
  readonly atMs: number;
}

interface SeenRun {
  readonly id: RunId;
  readonly status: RunStatus;
}

/** How a session stands, for whoever looks over many of them. */
export const SESSION_STATES = ['idle', 'working', 'waiting', 'done', 'failed', 'stopped'] as const;

export type SessionState = (typeof SESSION_STATES)[number];

/** A session with what is going on in it. */
export interface SeenSession {
  readonly session: Session;
  readonly state: SessionState;
  readonly lastMessage: SeenMessage | undefined;
  readonly run: SeenRun | undefined;
  readonly approvalId: ApprovalId | undefined;
}

/** The longest line that stands for a message in a list, in code points. */
const MAX_PREVIEW_CHARS = 160;

export function toSeenSession(session: Session, glance: SessionGlance | undefined): SeenSession {
  const { lastMessage, run, approvalId } = glance ?? {};
  return {
    session,
    state: judgeState(run?.status, approvalId),
    lastMessage: lastMessage && {
      ...lastMessage,
      content: cutLine(lastMessage.content, MAX_PREVIEW_CHARS),
    },
    run,
    approvalId,
  };
}

function judgeState(
  status: RunStatus | undefined,
  approvalId: ApprovalId | undefined,
): SessionState {
  if (status === undefined) return 'idle';
  if (!isTerminal(status) && approvalId !== undefined) return 'waiting';
  switch (status) {
    case 'completed':
      return 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'stopped';
    // For its next frame: it has answered all that was asked.
    case 'waiting':
      return 'idle';
    default:
      return 'working';
  }
}
