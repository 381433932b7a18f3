import { isJsonObject, type JsonObject } from '../../json.ts';
import type { ToolRequest } from '../model.ts';
import { findCandidates, parseCandidate } from './json-candidates.ts';

export interface ParsedToolCalls {
  readonly calls: readonly ToolRequest[];
  readonly rejected: readonly RejectedCall[];
  /** The answer without the blocks that became calls: what a person should read. */
  readonly textWithoutCalls: string;
}

interface RejectedCall {
  readonly snippet: string;
  readonly reason: string;
}

/** Calls taken from one answer; what comes after them is dropped. */
const MAX_CALLS_PER_ANSWER = 6;
const MAX_REJECTED = 20;
const MAX_SNIPPET_CHARS = 200;
const RESULT_NAME = 'tool.result';

type Judged = { readonly request: ToolRequest } | { readonly reason: string };

/**
 * Reads the tool calls a model without native ones writes into its answer: `{tool_name, arguments, id?}`, alone or in
 * an array, in a `json` or `tool` fence or bare. Whatever has another shape is text; nothing is guessed.
 *
 * @param knownTools the canonical name behind a name or alias, undefined when there is no such tool
 */
export function parseToolCalls(
  text: string,
  knownTools: (name: string) => string | undefined,
): ParsedToolCalls {
  const calls: ToolRequest[] = [];
  const rejected: RejectedCall[] = [];
  const used = new Set<string>();
  const removed: { start: number; end: number }[] = [];
  let unnamed = 0;

  for (const candidate of findCandidates(text)) {
    const parsed = parseCandidate(candidate);
    const judged = 'reason' in parsed ? [parsed] : judge(parsed.value, knownTools);
    let accepted = 0;
    for (const verdict of judged) {
      if ('request' in verdict) {
        accepted += 1;
        if (calls.length === MAX_CALLS_PER_ANSWER) continue;
        const ownId = verdict.request.callId;
        if (ownId === '') unnamed += 1;
        const callId = uniqueId(ownId === '' ? `tool-json-${unnamed}` : ownId, used);
        calls.push({ ...verdict.request, callId });
      } else if (rejected.length < MAX_REJECTED && isWorthReporting(candidate)) {
        rejected.push({ snippet: candidate.body.trim().slice(0, MAX_SNIPPET_CHARS), ...verdict });
      }
    }
    if (accepted > 0) removed.push(candidate);
  }
  return { calls, rejected, textWithoutCalls: cut(text, removed) };
}

/** Prose is full of brackets; outside a fence only what names a tool was meant as a call. */
function isWorthReporting(candidate: { readonly fenced: boolean; readonly body: string }): boolean {
  return candidate.fenced || candidate.body.includes('"tool_name"');
}

function judge(value: unknown, knownTools: (name: string) => string | undefined): Judged[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ reason: 'empty array' }];
    return value.map((element: unknown) =>
      isJsonObject(element)
        ? judgeCall(element, knownTools)
        : { reason: 'array element is not an object' },
    );
  }
  if (!isJsonObject(value)) return [{ reason: 'neither an object nor an array' }];
  return [judgeCall(value, knownTools)];
}

function judgeCall(value: JsonObject, knownTools: (name: string) => string | undefined): Judged {
  const { tool_name: name, arguments: input, id } = value;
  if (name === undefined) return { reason: 'missing tool_name' };
  if (typeof name !== 'string' || name.trim() === '') return { reason: 'invalid tool_name' };
  if (name.trim() === RESULT_NAME) return { reason: 'tool.result is output only' };
  const tool = knownTools(name.trim());
  if (tool === undefined) {
    return { reason: `unsupported tool name ${JSON.stringify(name.slice(0, 64))}` };
  }
  if (input === undefined) return { reason: 'missing arguments' };
  if (!isJsonObject(input)) return { reason: 'arguments is not an object' };
  if (id !== undefined && (typeof id !== 'string' || id.trim() === '')) {
    return { reason: 'id is not a non-empty string' };
  }
  return { request: { callId: id === undefined ? '' : id.trim(), tool, input } };
}

function uniqueId(wanted: string, used: Set<string>): string {
  let id = wanted;
  for (let suffix = 2; used.has(id); suffix += 1) id = `${wanted}-${suffix}`;
  used.add(id);
  return id;
}

function cut(text: string, ranges: readonly { start: number; end: number }[]): string {
  if (ranges.length === 0) return text;
  let kept = '';
  let from = 0;
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    kept += text.slice(from, range.start);
    from = range.end;
  }
  return (kept + text.slice(from)).replace(/\n{3,}/g, '\n\n').trim();
}
