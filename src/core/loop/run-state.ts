import { NOTHING_SPENT, type Spent } from '../costs/spent.ts';
import type { EventType } from '../events/event.ts';
import type { JsonObject } from '../json.ts';
import { NO_TOTALS, type RunTotals } from '../runs/run.ts';
import type { SessionSummary } from '../sessions/session-store.ts';
import type { ClientTool } from '../threads/client-tool.ts';
import type { ToolTrait } from '../tools/tool.ts';
import type { TraceContext } from '../trace-context.ts';
import { EMPTY_INBOX, type Inbox } from './inbox.ts';
import { type LoopGuard, NO_CALLS } from './loop-guard.ts';
import type { FinishReason, Message, ToolRequest } from './model.ts';
import type { Prompt } from './prompt.ts';
import { CALM, type Recovery } from './recovery.ts';

/** Everything the loop needs to go on with a run. It is a fold over the run's events, live and after a crash alike. */
export interface RunState {
  readonly goal: string;
  /** `provider/name` that it was submitted with; undefined for the model of its agent. */
  readonly model: string | undefined;
  /** What it was given in place of one message, by a caller that has the conversation itself. */
  readonly prompt: Prompt | undefined;
  readonly messages: readonly Message[];
  readonly totals: RunTotals;
  /** At least so much was spent: what limits are held against, since the totals may be unknown. */
  readonly knownTokens: number;
  readonly knownCostUsd: number;
  /** The same for budgets, exactly, and with what is not known. */
  readonly spent: Spent;
  /** How the newest answer ended. */
  readonly lastFinish: FinishReason | undefined;
  /** Calls the model asked for that have no result yet, in order. */
  readonly pending: readonly PendingCall[];
  readonly recovery: Recovery;
  readonly loop: LoopGuard;
  readonly toolsUsed: readonly string[];
  readonly lastText: string;
  /** What its tools brought into the run or let out of it. */
  readonly exposure: readonly ToolTrait[];
  readonly cancelReason: string | undefined;
  /** How long it rested, waiting for a person: that time is not the run's. */
  readonly waitedMs: number;
  readonly askedAtMs: number | undefined;
  /** Times in a row that somebody took the run over and nothing came of it. */
  readonly fruitlessRecoveries: number;
  /** The newest turn that was asked for. */
  readonly requestedTurn: number;
  /** The system prompt already on record, so that it is stored once and not with every turn. */
  readonly system: string | undefined;
  /** The same for the names of the tools that it was offered. */
  readonly toolNames: string;
  /** The same for the conditions it is held to, as canonical JSON. */
  readonly conditions: string | undefined;
  /** What tells of the beginning of its conversation, where that was too long. */
  readonly summary: SessionSummary | undefined;
  readonly inbox: Inbox;
  /** Tools that whoever made the run carries out himself. */
  readonly clientTools: readonly ClientTool[];
  /** Turns that were taken when the newest message came. */
  readonly turnsBefore: number;
  /** Answers that it gave and then went on from, because somebody had written to it meanwhile. */
  readonly passed: readonly string[];
  /** Of whoever caused what the run does now. */
  readonly trace: TraceContext | undefined;
}

export interface PendingCall {
  readonly request: ToolRequest;
  /** Set once `tool.call` is on record: from then on its effect may have happened. */
  readonly payload: JsonObject | undefined;
  /** Whether redaction changed its arguments on record: then the log can't tell what to call. */
  readonly isRedacted: boolean;
  /** What the model asked for before redaction, while that is still known. */
  readonly heard?: ToolRequest | undefined;
}

/** The call as it is to be made. */
export function toMake({ request, heard }: PendingCall): ToolRequest {
  return heard ?? request;
}

/** Nobody knows any more what to call. */
export function isLost({ isRedacted, heard }: PendingCall): boolean {
  return isRedacted && heard === undefined;
}

/** An event, or a draft of one that this process has just recorded. */
export interface Fact {
  readonly type: EventType;
  readonly payload: JsonObject;
  readonly redactions?: readonly string[];
  readonly atMs?: number;
  /** Of an event that somebody else has put on record. */
  readonly seq?: number;
}

/** On what an agent did where it lives. */
export const REMOTE_ORIGIN = 'openclaw';

/** On calls that a caller made in the run's name: they are its own affair, and the loop neither waits for nor repeats them. */
const FOREIGN_ORIGINS: readonly unknown[] = ['tools_execute', REMOTE_ORIGIN];

export function isForeign({ origin }: JsonObject): boolean {
  return FOREIGN_ORIGINS.includes(origin);
}

export const INITIAL_STATE: RunState = {
  goal: '',
  model: undefined,
  prompt: undefined,
  messages: [],
  totals: NO_TOTALS,
  knownTokens: 0,
  knownCostUsd: 0,
  spent: NOTHING_SPENT,
  lastFinish: undefined,
  pending: [],
  recovery: CALM,
  loop: NO_CALLS,
  toolsUsed: [],
  lastText: '',
  exposure: [],
  cancelReason: undefined,
  waitedMs: 0,
  askedAtMs: undefined,
  fruitlessRecoveries: 0,
  requestedTurn: 0,
  system: undefined,
  toolNames: '',
  conditions: undefined,
  summary: undefined,
  inbox: EMPTY_INBOX,
  clientTools: [],
  turnsBefore: 0,
  passed: [],
  trace: undefined,
};
