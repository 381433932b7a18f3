import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';

const COLORS: Readonly<Record<string, number>> = { debug: 90, info: 36, warn: 33, error: 31 };
const DIM = 2;

/** One log record as one line for people: time, level, message, then `key=value` for the rest. */
export function formatLogLine(json: string, options: { readonly color: boolean }): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as JsonObject;
  const paint = (code: number, text: string) =>
    options.color ? `\u001b[${code}m${text}\u001b[0m` : text;
  const name = String(level);
  const parts = [
    paint(DIM, toLocalTime(String(time))),
    paint(COLORS[name] ?? 0, name.toUpperCase().padEnd(5)),
    escapeControls(String(msg ?? '')),
    ...Object.entries(fields).map(([key, value]) => `${paint(DIM, `${key}=`)}${toText(value)}`),
  ];
  return `${parts.join(' ')}${formatError(err)}\n`;
}

function toLocalTime(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const ms = String(time.getMilliseconds()).padStart(3, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${ms}`;
}

function toText(value: JsonValue): string {
  if (typeof value === 'string' && /^[\w./:@+-]+$/.test(value)) return value;
  return escapeControls(JSON.stringify(value));
}

/** The one field that may take further lines: a stack on one line helps nobody. */
function formatError(err: JsonValue | undefined): string {
  if (err === undefined) return '';
  if (!isJsonObject(err)) return ` err=${toText(err)}`;
  const { stack, type, code, message } = err;
  if (typeof stack === 'string')
    return `\n    ${stack.split('\n').map(escapeControls).join('\n    ')}`;
  const label = code === undefined ? type : `${type}(${code})`;
  return `\n    ${escapeControls(`${label}: ${message}`)}`;
}

/** A value must not be able to move the cursor or forge a line. */
function escapeControls(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
