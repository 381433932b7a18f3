/** Structured logging, injected. Fields carry ids and counts, never payloads or secrets. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  /** As `info`, for lines that come by the thousand: they may wait for each other until the turn of the event loop ends. */
  routine?(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LineLevel = Exclude<keyof Logger, 'routine'>;

export type LogFields = Readonly<Record<string, unknown>>;

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
