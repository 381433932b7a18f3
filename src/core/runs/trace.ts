import type { Event } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { readKept } from '../events/read-kept.ts';
import type { RunId } from '../ids.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** What a run did with tools, for people who look at its result. */
export interface RunTrace {
  readonly toolResults: readonly TracedToolResult[];
  /** True when the run used more tools than a trace shows, or may have: its oldest events are no longer kept. */
  readonly truncated: boolean;
}

export interface TracedToolResult {
  readonly tool: string;
  readonly callId: string;
  readonly arguments: JsonValue;
  readonly summary: string;
  /** JSON text of the output, or empty. */
  readonly output: string;
  readonly error: string;
  readonly durationMs: number;
  /** Answered from what the same call had come to before. */
  readonly fromCache: boolean;
}

const MAX_RESULTS = 200;
const PAGE_SIZE = 500;
const MAX_PAGES = 40;

export async function readTrace(log: EventLog, runId: RunId): Promise<RunTrace> {
  const calls = new Map<string, Event>();
  const toolResults: TracedToolResult[] = [];
  let after = 0;
  let isCut = false;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const events = await readKept(log, runId, { after, limit: PAGE_SIZE });
    isCut ||= events[0] !== undefined && events[0].seq > after + 1;
    for (const event of events) {
      if (event.type === 'tool.call') calls.set(text(event.payload['request_id']), event);
      if (event.type !== 'tool.result') continue;
      if (toolResults.length === MAX_RESULTS) return { toolResults, truncated: true };
      toolResults.push(toTraced(event, calls.get(text(event.payload['request_id']))));
    }
    if (events.length < PAGE_SIZE) return { toolResults, truncated: isCut };
    after = events.at(-1)?.seq ?? after;
  }
  return { toolResults, truncated: true };
}

function toTraced(result: Event, call: Event | undefined): TracedToolResult {
  const payload: JsonObject = result.payload;
  const error = payload['error'];
  const output = payload['output'];
  return {
    tool: text(payload['tool']),
    callId: text(payload['tool_call_id']),
    arguments: call?.payload['input'] ?? {},
    summary: text(payload['summary']),
    output: payload['ok'] === true && output !== undefined ? JSON.stringify(output) : '',
    error: isJsonObject(error) ? `${text(error['code'])}: ${text(error['message'])}` : '',
    durationMs: typeof payload['duration_ms'] === 'number' ? payload['duration_ms'] : 0,
    fromCache: payload['from_cache'] === true,
  };
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
