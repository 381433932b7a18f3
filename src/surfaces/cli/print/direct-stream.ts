import { fstatSync, writeSync } from 'node:fs';
import type { ProgramStream } from './output-stream.ts';

/** The stream that Node has for a descriptor, as far as it is needed here. */
export interface StandardStream extends ProgramStream {
  write(chunk: string | Uint8Array, done: (error?: Error | null) => void): unknown;
}

/**
 * Writes to a descriptor without the stream that Node has for it: setting one up takes longer than a short command
 * does. `open` gives the stream where it is needed: for a terminal, and for a pipe that is full and must be waited for.
 */
export function createDirectStream(fd: number, open: () => StandardStream): ProgramStream {
  const listeners: ((error: Error) => void)[] = [];
  let opened: StandardStream | undefined;

  function getStream(): StandardStream {
    if (opened === undefined) {
      opened = open();
      for (const listener of listeners) opened.on('error', listener);
    }
    return opened;
  }

  return {
    get isTTY() {
      return isDevice(fd) && getStream().isTTY === true;
    },
    get columns() {
      return getStream().columns ?? 0;
    },
    hasColors: () => getStream().hasColors?.() ?? false,
    on(event, listener) {
      if (opened === undefined) listeners.push(listener);
      else opened.on(event, listener);
    },
    write(text, done) {
      if (opened !== undefined) return opened.write(text, done);
      const bytes = Buffer.from(text);
      const { written, error } = writeAtOnce(fd, bytes);
      if (error !== undefined && error.code !== 'EAGAIN') return done(error);
      // Behind the first part that had to wait, everything must: it would overtake it.
      if (written < bytes.length) return getStream().write(bytes.subarray(written), done);
      return done();
    },
  };
}

/** As much as goes without waiting, and why it is not everything. */
function writeAtOnce(
  fd: number,
  bytes: Uint8Array,
): { readonly written: number; readonly error?: NodeJS.ErrnoException } {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
    return { written };
  } catch (error) {
    return { written, error: error as NodeJS.ErrnoException };
  }
}

/** A terminal is one, and little else is. Where the system can't say, it may be. */
function isDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return true;
  }
}
