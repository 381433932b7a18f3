import { createHash } from 'node:crypto';
import { toIso } from '../clock.ts';
import type { Event } from '../events/event.ts';
import type { JsonObject } from '../json.ts';
import { encodeForkPoint } from '../runs/fork-point.ts';
import type { Run } from '../runs/run.ts';
import { encodeAuditLine } from './audit-line.ts';
import { bundlePath } from './record-paths.ts';
import type { Bundle } from './record-sink.ts';

/** The file that lists the others, so that a damaged bundle shows. */
export const MANIFEST_FILE = 'meta.json';

export interface BundleSource {
  readonly run: Run;
  /** All events of the run, in order. */
  readonly events: readonly Event[];
  /** The system prompt as the model got it, redacted; empty when no model was asked. */
  readonly prompt: string;
}

/** The files a person opens to see what a run did. Everything in them comes from the log, so it is redacted already. */
export function createBundle({ run, events, prompt }: BundleSource): Bundle {
  const calls = pairToolCalls(events);
  const files = new Map([
    ['input.json', toPrettyJson(describeInput(run, events))],
    ['prompt.md', toTextFile(prompt)],
    ['events.jsonl', toLines(events.map((event) => encodeAuditLine(event).json))],
    ['toolcalls.jsonl', toLines(calls.map((call) => JSON.stringify(call)))],
    ['output.md', toTextFile(run.output ?? '')],
  ]);
  const meta = { ...describeRun(run, calls.length), files: hashFiles(files) };
  files.set(MANIFEST_FILE, toPrettyJson(meta));
  return { runId: run.id, agentId: run.agentId, files };
}

/** The system prompt of the first model turn, as the log holds it. */
export function findPrompt(events: readonly Event[]): string {
  const payload = events.find((event) => event.type === 'model.requested')?.payload;
  const prompt = payload?.['prompt'] ?? payload?.['system'];
  return typeof prompt === 'string' ? prompt : '';
}

function describeInput(run: Run, events: readonly Event[]): JsonObject {
  const { thread } = run;
  return {
    run_id: run.id,
    agent_id: run.agentId,
    session_id: run.sessionId ?? null,
    source: run.source,
    message: run.message,
    created_at: toIso(run.createdAtMs),
    // A run of a thread begins without a message: what it was asked came with its frames.
    ...(thread === undefined ? {} : { thread_id: thread.id, frames: listFrames(events) }),
  };
}

function listFrames(events: readonly Event[]): JsonObject[] {
  return events
    .filter(({ type }) => type === 'frame.accepted')
    .map(({ seq, atMs, payload }) => ({ seq, accepted_at: toIso(atMs), ...payload }));
}

function describeRun(run: Run, toolCallCount: number): JsonObject {
  const startedAtMs = run.startedAtMs ?? run.createdAtMs;
  const endedAtMs = run.endedAtMs ?? run.updatedAtMs;
  return {
    bundle_version: 1,
    run_id: run.id,
    agent_id: run.agentId,
    ...(run.forkedFrom && { forked_from: encodeForkPoint(run.forkedFrom) }),
    artifact_path: bundlePath(run.agentId, run.id),
    status: run.status,
    stop_reason: run.stopReason ?? null,
    started_at: run.startedAtMs === undefined ? null : toIso(run.startedAtMs),
    completed_at: toIso(endedAtMs),
    duration_ms: Math.max(0, endedAtMs - startedAtMs),
    turn_count: run.totals.turns,
    tool_call_count: toolCallCount,
    provider: run.provider ?? null,
    model: run.model ?? null,
    usage: { input_tokens: run.totals.inputTokens, output_tokens: run.totals.outputTokens },
    cost_usd: run.totals.costUsd,
    error: run.error === undefined ? null : { code: run.error.code, message: run.error.message },
  };
}

/** SHA-256 of each file. */
function hashFiles(files: ReadonlyMap<string, string>): JsonObject {
  const hashes = new Map<string, string>();
  for (const [name, text] of files) {
    hashes.set(name, createHash('sha256').update(text).digest('hex'));
  }
  return Object.fromEntries(hashes);
}

interface ToolCallRecord {
  readonly request: JsonObject;
  readonly started_at: string;
  result: JsonObject | null;
  completed_at: string | null;
}

/** A call without a result was cut off by the run's end; it is listed all the same. */
function pairToolCalls(events: readonly Event[]): ToolCallRecord[] {
  const calls: ToolCallRecord[] = [];
  const open = new Map<unknown, ToolCallRecord>();
  for (const event of events) {
    if (event.type === 'tool.call') {
      const call: ToolCallRecord = {
        request: event.payload,
        result: null,
        started_at: toIso(event.atMs),
        completed_at: null,
      };
      calls.push(call);
      open.set(callKey(event), call);
    }
    if (event.type === 'tool.result') {
      const call = open.get(callKey(event));
      if (call === undefined) continue;
      call.result = event.payload;
      call.completed_at = toIso(event.atMs);
      open.delete(callKey(event));
    }
  }
  return calls;
}

function callKey(event: Event): unknown {
  return event.payload['request_id'] ?? event.payload['tool_call_id'];
}

function toPrettyJson(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toTextFile(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
