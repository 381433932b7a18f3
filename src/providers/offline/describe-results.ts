import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Message } from '../../core/loop/model.ts';

type ToolResult = Extract<Message, { role: 'tool' }>;

const MAX_LINES = 100;
const MAX_CHARS = 4_000;

/** Tool results as an answer for people. */
export function describeResults(results: readonly ToolResult[]): string {
  return results.map(describeResult).join('\n\n');
}

function describeResult(result: ToolResult): string {
  const output = parseOutput(result.text);
  if (!result.ok) return `${result.tool} failed: ${findError(output) ?? bound(result.text)}`;
  return (output && describeOutput(result.tool, output)) ?? `${result.tool}: ${bound(result.text)}`;
}

function describeOutput(tool: string, output: JsonObject): string | undefined {
  const { path, content, entries, matches, summary, rfc3339 } = output;
  switch (tool) {
    case 'time.now':
      return typeof rfc3339 === 'string' ? `It is ${rfc3339}.` : undefined;
    case 'fs.list':
      if (!Array.isArray(entries)) return undefined;
      return entries.length === 0
        ? `${path} is empty.`
        : `${path} holds:\n${lines(entries.map((entry) => `- ${toText(entry)}`))}`;
    case 'fs.read':
      return typeof content === 'string' ? `${path}:\n\n${bound(content)}` : undefined;
    case 'code.search':
      if (!Array.isArray(matches)) return undefined;
      return matches.length === 0
        ? 'Nothing matches.'
        : `Found ${matches.length}:\n${lines(matches.map(describeMatch))}`;
    default:
      return typeof summary === 'string' && summary !== '' ? `Done: ${summary}.` : undefined;
  }
}

function describeMatch(match: unknown): string {
  if (!isJsonObject(match)) return `- ${toText(match)}`;
  return `- ${toText(match['path'])}:${toText(match['line'])}: ${toText(match['text']).trim()}`;
}

function findError(output: JsonObject | undefined): string | undefined {
  const error = output?.['error'];
  const message = isJsonObject(error) ? error['message'] : (error ?? output?.['message']);
  return typeof message === 'string' && message !== '' ? bound(message) : undefined;
}

/** Undefined for anything but a JSON object: errors and shortened outputs are plain text. */
function parseOutput(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function lines(all: readonly string[]): string {
  const shown = all.slice(0, MAX_LINES);
  if (shown.length < all.length) shown.push(`… and ${all.length - shown.length} more`);
  return bound(shown.join('\n'));
}

function bound(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}…`;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
