import { pino } from 'pino';
import type { JsonObject } from '../core/json.ts';
import type { LogFields, Logger } from '../core/log.ts';
import type { Redactor } from '../core/redact/redact.ts';
import { formatLogLine } from './format-log-line.ts';
import { cutText, toLogFields } from './to-log-fields.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  /** Asked for every line. */
  readonly level: () => LogLevel;
  /** `auto` is pretty on a terminal and JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty';
  readonly redactor?: Redactor;
  /** Colours on a terminal; true unless said otherwise. */
  readonly color?: boolean;
  /** Standard error unless given: standard output belongs to the program's answers. */
  readonly destination?: LogDestination;
}

export interface LogDestination {
  readonly isTTY?: boolean;
  write(line: string): unknown;
}

export interface BoundLogger extends Logger {
  /** The same log, with these fields on every line: `run_id`, `request_id`. */
  child(fields: LogFields): BoundLogger;
}

const STDERR = 2;

export function createLogger(options: LoggerOptions): BoundLogger {
  const sink = pino(
    {
      level: options.level(),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors are plain data by now; pino's own serializer would take them for something else.
      serializers: { err: (value: unknown) => value },
    },
    openSink(options),
  );
  const isEnabled = (level: Level) => {
    const least = options.level();
    if (sink.level !== least) sink.level = least;
    return sink.isLevelEnabled(level);
  };
  return bind({ sink, isEnabled, redactor: options.redactor }, {});
}

type Level = keyof Logger;

interface Sink {
  readonly sink: pino.Logger;
  readonly isEnabled: (level: Level) => boolean;
  readonly redactor: Redactor | undefined;
}

function bind(to: Sink, bound: JsonObject): BoundLogger {
  const { sink, isEnabled, redactor } = to;
  const log = (level: Level) => (fields: LogFields, message: string) => {
    if (!isEnabled(level)) return;
    const json = { ...bound, ...toLogFields(fields) };
    const text = cutText(message);
    if (redactor === undefined) sink[level](json, text);
    else sink[level](redactor.redact(json, '').value, redactor.redactText(text));
  };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: (fields) => bind(to, { ...bound, ...toLogFields(fields) }),
  };
}

function openSink(options: LoggerOptions): pino.DestinationStream {
  // Synchronous: the last lines before a crash are the ones somebody will look for.
  const destination: pino.DestinationStream =
    options.destination ?? pino.destination({ fd: STDERR, sync: true });
  const isTerminal = options.destination
    ? options.destination.isTTY === true
    : process.stderr.isTTY;
  const isPretty = options.format === 'pretty' || (options.format === 'auto' && isTerminal);
  if (!isPretty) return destination;
  const color = isTerminal && options.color !== false;
  return { write: (line) => destination.write(formatLogLine(line, { color })) };
}
