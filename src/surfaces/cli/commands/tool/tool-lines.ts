import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/json.ts';
import { formatDuration } from '../../print/format.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_ARGUMENT_CHARS = 100;
const MAX_SUMMARY_CHARS = 160;

/** What a `tool.call` says to people: `fs.read {"path":"notes.txt"}`. */
export function describeToolCall(payload: JsonObject, style: Style): string {
  const shown = toOneLine(JSON.stringify(payload['input'] ?? {}), MAX_ARGUMENT_CHARS);
  return `${style.cyan(name(payload))} ${style.dim(shown)}`;
}

/** What a `tool.result` says to people: `fs.read ok, 12 ms: read 3 lines`. */
export function describeToolResult(payload: JsonObject, style: Style): string {
  const error = payload['error'];
  const duration = payload['duration_ms'];
  const took = typeof duration === 'number' ? `, ${formatDuration(duration)}` : '';
  const outcome = isJsonObject(error) ? style.red(text(error['code'])) : style.green('ok');
  const summary = isJsonObject(error) ? text(error['message']) : text(payload['summary']);
  const said = summary === '' ? '' : `: ${toOneLine(summary, MAX_SUMMARY_CHARS)}`;
  return `${style.cyan(name(payload))} ${outcome}${took}${said}`;
}

function name(payload: JsonObject): string {
  return toOneLine(text(payload['tool']), MAX_ARGUMENT_CHARS);
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
