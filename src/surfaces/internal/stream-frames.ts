import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { isTerminalEvent, type NewsEvent } from '../../core/events/event.ts';
import type { JsonObject } from '../../core/json.ts';
import { encodeEndStatus } from './codec.ts';

/** What readers of a stream get for one event; the end of a run also says that nothing follows. */
export function encodeStreamFrames(event: NewsEvent): string {
  const frame = toFrame(event.seq, JSON.stringify(encodeData(event)));
  return isTerminalEvent(event) ? frame + encodeDone(event.seq) : frame;
}

export function encodeDone(seq: number): string {
  return toFrame(seq, '[DONE]');
}

/** Fields in the order that the contract shows them in. */
function toFrame(seq: number, data: string): string {
  return `event: message\nid: ${seq}\ndata: ${data}\n\n`;
}

function encodeData(event: NewsEvent): JsonObject {
  const { runId, payload } = event;
  switch (event.type) {
    case 'run.started':
      return { type: 'start', runId, meta: encodeStart(event) };
    case 'model.delta':
      return { type: 'text-delta', delta: textOf(payload['text']), runId };
    case 'tool.call':
      return { type: 'tool-call', runId, toolCall: payload };
    case 'tool.result':
      return { type: 'tool-result', runId, toolResult: payload };
    case 'run.completed':
      return { type: 'finish', runId, meta: encodeEnd(event, 'completed') };
    case 'run.failed':
      return { type: 'finish', runId, meta: encodeEnd(event, 'failed') };
    case 'run.cancelled':
      return { type: 'finish', runId, meta: encodeEnd(event, 'cancelled') };
    default:
      return { type: 'event', runId, eventType: event.type, payload: withoutInternals(payload) };
  }
}

/** Streams go on to browsers: who of us holds the run and what the model is told are nobody's business there. */
function withoutInternals({ owner: _owner, system: _system, ...rest }: JsonObject): JsonObject {
  return rest;
}

function encodeStart({ agentId, atMs }: NewsEvent): JsonObject {
  return { agent_id: agentId, started_at: toIso(atMs) };
}

function encodeEnd({ payload, atMs }: NewsEvent, status: 'completed' | 'failed' | 'cancelled') {
  const { stop_reason: reasonClass, reason, output, error, usage } = payload;
  return {
    status: encodeEndStatus(status),
    reason_class: reasonClass ?? status,
    ...defined({ reason }),
    output: textOf(output),
    ...defined({ error, usage }),
    finished_at: toIso(atMs),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
