import { pino } from 'pino';
import type { JsonObject } from '../core/json.ts';
import type { LineLevel, LogFields, Logger } from '../core/log.ts';
import type { Redactor } from '../core/redact/redact.ts';
import { formatLogLine } from './format-log-line.ts';
import { cutText, toLogFields } from './to-log-fields.ts';
import { createTurnWriter, type TurnWriter } from './turn-writer.ts';

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
  /** Where lines are held: writes them. */
  flush?(): void;
}

export interface BoundLogger extends Logger {
  /** The same log, with these fields on every line: `run_id`, `request_id`. */
  child(fields: LogFields): BoundLogger;
}

const STDERR = 2;

export function createLogger(options: LoggerOptions): BoundLogger {
  const destination = options.destination ?? openStderr();
  const sink = pino(
    {
      level: options.level(),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors are plain data by now; pino's own serializer would take them for something else.
      serializers: { err: (value: unknown) => value },
    },
    openSink(destination, options),
  );
  const isEnabled = (level: LineLevel) => {
    const least = options.level();
    if (sink.level !== least) sink.level = least;
    return sink.isLevelEnabled(level);
  };
  const flush = () => destination.flush?.();
  return bind({ sink, isEnabled, redactor: options.redactor, flush }, {});
}

interface Sink {
  readonly sink: pino.Logger;
  readonly isEnabled: (level: LineLevel) => boolean;
  readonly redactor: Redactor | undefined;
  /** Writes what waits for the end of the turn. */
  readonly flush: () => void;
}

function bind(to: Sink, bound: JsonObject): BoundLogger {
  const { sink, isEnabled, redactor } = to;
  const say = (level: LineLevel) => (fields: LogFields, message: string) => {
    if (!isEnabled(level)) return;
    const json = { ...bound, ...toLogFields(fields) };
    const text = cutText(message);
    if (redactor === undefined) sink[level](json, text);
    else sink[level](redactor.redact(json, '').value, redactor.redactText(text));
  };
  const log = (level: LineLevel) => {
    const sayNow = say(level);
    return (fields: LogFields, message: string) => {
      sayNow(fields, message);
      to.flush();
    };
  };
  return {
    debug: log('debug'),
    info: log('info'),
    routine: say('info'),
    warn: log('warn'),
    error: log('error'),
    child: (fields) => bind(to, { ...bound, ...toLogFields(fields) }),
  };
}

let stderr: TurnWriter | undefined;

/** One for all loggers of the process, so that lines stay in order. */
function openStderr(): LogDestination {
  if (!stderr) {
    // Synchronous, also when the process ends by a fault: its last lines are the ones somebody will look for.
    const sink = pino.destination({ fd: STDERR, sync: true });
    stderr = createTurnWriter((text) => sink.write(text));
    process.once('exit', stderr.flush);
  }
  return stderr;
}

function openSink(destination: LogDestination, options: LoggerOptions): pino.DestinationStream {
  const isTerminal = options.destination
    ? options.destination.isTTY === true
    : process.stderr.isTTY;
  const isPretty = options.format === 'pretty' || (options.format === 'auto' && isTerminal);
  if (!isPretty) return destination;
  const color = isTerminal && options.color !== false;
  return { write: (line) => destination.write(formatLogLine(line, { color })) };
}
