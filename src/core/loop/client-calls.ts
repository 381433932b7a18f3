import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { cutText, cutUnits } from '../sessions/cut-text.ts';
import { toToolMessage } from '../sessions/tool-record.ts';
import { type Frame, isEnding, messageTextOf, textOf } from '../threads/frame.ts';
import { failure, type ToolOutcome } from '../tools/envelope.ts';
import type { PreparedCall } from '../tools/tool-runner.ts';
import { toCaller } from './execution.ts';
import { MAX_GIVEN_CHARS } from './prompt.ts';
import type { PendingCall, RunState } from './run-state.ts';
import type { Settling, Turn } from './tool-turn-deps.ts';

/** Calls of tools that whoever made the run carries out: they are announced on the stream and answered by a frame. */
export function isClientCall({ clientTools }: RunState, { request }: PendingCall): boolean {
  // A client can't be asked what the model did not manage to say.
  if (request.malformed !== undefined) return false;
  return clientTools.some((tool) => tool.name === request.tool);
}

export function announceClientCall({ deps, execution }: Turn, pending: PendingCall): void {
  if (pending.payload !== undefined) return;
  const { payload } = deps.tools.prepare(toCaller(execution), pending.request);
  execution.record({
    type: 'tool.call',
    actor: 'model',
    payload: { ...payload, executed_by: 'client' },
  });
}

/**
 * Gives the frames of the inbox to the calls they answer. A frame that answers nothing is put on record as ignored. What
 * stands behind the end of the run is left where it is.
 */
export function answerClientCalls(turn: Turn): void {
  const { execution } = turn;
  for (const frame of execution.state.inbox.frames) {
    if (isEnding(frame)) return;
    if (frame.kind === 'message' && messageTextOf(frame.payload) === '') {
      ignore(turn, frame, 'the message has no text');
    }
    if (frame.kind === 'tool_result') answerWith(turn, frame);
  }
}

function answerWith(turn: Turn, frame: Frame): void {
  const { state } = turn.execution;
  const callId = textOf(frame.payload['tool_call_id']) || textOf(frame.payload['id']);
  const pending = state.pending.find(
    (call) => call.request.callId === callId && isClientCall(state, call),
  );
  if (pending) recordAnswer(turn, pending, { outcome: toOutcome(state, frame), frame });
  else ignore(turn, frame, `no call of this run waits for a result with tool_call_id ${callId}`);
}

function ignore({ execution }: Turn, frame: Frame, reason: string): void {
  execution.record({ type: 'frame.ignored', payload: { ...refer(frame), reason } });
}

function refer({ id, seq }: Frame): JsonObject {
  return { frame_id: id, frame_seq: seq };
}

/** Before the run ends without it. */
export function settleClientCall(turn: Settling, pending: PendingCall): void {
  const message = `${pending.request.tool} was not answered before the run ended`;
  recordAnswer(turn, pending, { outcome: failure(new RuntimeError('cancelled', message)) });
}

function recordAnswer(
  { deps, execution }: Settling,
  pending: PendingCall,
  { outcome, frame }: { readonly outcome: ToolOutcome; readonly frame?: Frame },
): void {
  const prepared = deps.tools.prepare(toCaller(execution), pending.request);
  const requestId = textOf(pending.payload?.['request_id']) || prepared.envelope.requestId;
  const envelope = { ...prepared.envelope, requestId } as PreparedCall['envelope'];
  const call = { ...prepared, envelope };
  const finished = deps.tools.conclude(call, outcome);
  execution.record({
    type: 'tool.result',
    actor: 'user',
    payload: { ...finished.payload, ...(frame && refer(frame)) },
    ...(execution.run.sessionId === undefined
      ? {}
      : { message: toToolMessage(deps.redactor, call, finished) }),
  });
}

function toOutcome({ prompt }: RunState, { payload }: Frame): ToolOutcome {
  const { error } = payload;
  if (payload['ok'] === false || (error !== undefined && error !== null && error !== '')) {
    const message = cutText(toFaultText(error), MAX_TEXT_CHARS);
    return failure(new RuntimeError('tool_failed', message));
  }
  const output = toObject(payload['output'] ?? payload['result'] ?? {});
  const summary = cutText(textOf(payload['summary']), MAX_TEXT_CHARS);
  const maxChars = prompt ? MAX_GIVEN_CHARS : MAX_OUTPUT_CHARS;
  return { ok: true, output: bound(output, maxChars), summary };
}

/** The whole of it is on record with its frame. */
const MAX_OUTPUT_CHARS = 64_000;
const MAX_TEXT_CHARS = 2_000;

function bound(output: JsonObject, maxChars: number): JsonObject {
  const text = JSON.stringify(output);
  if (text.length <= maxChars) return output;
  return { truncated: true, chars: text.length, excerpt: cutUnits(text, maxChars) };
}

function toFaultText(error: JsonValue | undefined): string {
  if (typeof error === 'string' && error !== '') return error;
  if (isJsonObject(error)) return textOf(error['message']) || JSON.stringify(error);
  return 'the client could not carry the call out';
}

function toObject(output: JsonValue): JsonObject {
  return isJsonObject(output) ? output : { content: output };
}
