import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { cutText } from '../sessions/cut-text.ts';
import { decodeTrace, type TraceContext } from '../trace-context.ts';

/** What a frame asks of its run. `other` frames are on record for readers of the stream and ask nothing. */
export type FrameKind = 'message' | 'tool_result' | 'finish' | 'fail' | 'cancel' | 'other';

const KINDS: Readonly<Record<string, FrameKind>> = {
  user_message: 'message',
  tool_result: 'tool_result',
  tool_output: 'tool_result',
  finish: 'finish',
  complete: 'finish',
  run_complete: 'finish',
  fail: 'fail',
  error: 'fail',
  cancel: 'cancel',
  cancel_requested: 'cancel',
};

export function kindOf(type: string): FrameKind {
  return Object.hasOwn(KINDS, type) ? (KINDS[type] ?? 'other') : 'other';
}

/** A frame as its `frame.accepted` event has it. */
export interface Frame {
  /** Of its event: frames are taken in this order. */
  readonly seq: number;
  readonly id: string;
  readonly kind: FrameKind;
  readonly payload: JsonObject;
  /** Of the request that brought it. */
  readonly trace: TraceContext | undefined;
}

export function decodeFrame(payload: JsonObject, seq: number): Frame {
  const content = payload['payload'];
  return {
    seq,
    id: textOf(payload['frame_id']),
    kind: kindOf(textOf(payload['type'])),
    payload: isJsonObject(content) ? content : {},
    trace: decodeTrace(payload['trace']),
  };
}

/** What a message says; empty when it says nothing. */
export function messageTextOf(payload: JsonObject): string {
  for (const name of ['text', 'message', 'content']) {
    const value = payload[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return '';
}

const MAX_REASON_CHARS = 2_000;

/** Why a run is to end, in the words of whoever sent the frame. */
export function reasonOf({ payload }: Pick<Frame, 'payload'>): string {
  const reason = textOf(payload['reason']) || textOf(payload['message']);
  return cutText(reason, MAX_REASON_CHARS);
}

/** Whether nothing after it is taken in. */
export function isEnding({ kind }: Pick<Frame, 'kind'>): boolean {
  return kind === 'finish' || stopsAtOnce({ kind });
}

/** Whether it does not wait for an answer to what was sent before it. */
export function stopsAtOnce({ kind }: Pick<Frame, 'kind'>): boolean {
  return kind === 'fail' || kind === 'cancel';
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
