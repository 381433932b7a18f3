import type { AgentId, EventId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { MessageDraft, SealedMessage } from '../sessions/session.ts';

export const EVENT_TYPES = [
  'run.created',
  'run.started',
  'frame.accepted',
  'frame.ignored',
  'model.requested',
  'model.delta',
  'model.completed',
  'model.failed',
  'agent.noted',
  'tool.call',
  'tool.result',
  'policy.decision',
  'run.cancel_requested',
  'run.recovered',
  'run.completed',
  'run.failed',
  'run.cancelled',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Who caused an event: the runtime itself, a caller, the model's request, an operator. */
export type Actor = 'system' | 'user' | 'model' | 'operator';

/** An immutable fact of a run, numbered `seq` from 1 without gaps and chained by hash. */
export interface Event {
  readonly id: EventId;
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly seq: number;
  readonly type: EventType;
  readonly atMs: number;
  readonly actor: Actor;
  readonly payload: JsonObject;
  /** JSON paths inside the event that redaction replaced, as in `payload.input.token`. */
  readonly redactions: readonly string[];
  readonly prevHash: string;
  readonly hash: string;
}

/** An event for those who follow its run: its links are for those who prove the log, and read it where it is stored. */
export interface NewsEvent extends Omit<Event, 'prevHash' | 'hash'> {
  /** Its payload as it is stored, when that is at hand: JSON text. */
  readonly payloadText?: string;
}

/** What a caller wants to record; the store adds run, `seq`, time and hash. */
export interface EventDraft {
  readonly type: EventType;
  readonly actor?: Actor;
  readonly payload: JsonObject;
  /** What it adds to the session of its run; left out when the run has none. */
  readonly message?: MessageDraft;
}

/** As it is on record: what everybody who reads the log will find. */
export type Recorded = Pick<Event, 'type' | 'payload' | 'redactions'>;

declare const sealed: unique symbol;

/** A draft after redaction. Stores accept nothing else, so an unredacted payload does not compile. */
export interface SealedDraft {
  readonly [sealed]: true;
  readonly id: EventId;
  readonly type: EventType;
  readonly actor: Actor;
  /** Canonical JSON, ready to be hashed and stored. */
  readonly payload: string;
  /** Canonical JSON array of paths. */
  readonly redactions: string;
  /** Stored with the event, in the same transaction, when the run belongs to a session. */
  readonly message?: SealedMessage;
}

export function isTerminalEvent(event: { readonly type: EventType }): boolean {
  return (
    event.type === 'run.completed' || event.type === 'run.failed' || event.type === 'run.cancelled'
  );
}
