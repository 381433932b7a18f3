import { errnoOf } from '../../../platform/errno-of.ts';
/** What the program needs of `process.stdout` and `process.stderr`. */
export interface ProgramStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
  write(text: string, done: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface OutputStream {
  readonly closed: AbortSignal;
  write(text: string): void;
  /** Resolves when everything written has left the process, or can't. */
  flush(): Promise<void>;
  /** Why something written was lost although somebody wanted it, as on a full disk: the system's code. */
  findFault(): string | undefined;
}

/** A reader that leaves early, as `head` does, is no fault: what it did not want is dropped without a word. */
export function createOutputStream(stream: ProgramStream): OutputStream {
  let closing: AbortController | undefined;
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();
  let fault: string | undefined;
  const close = (error: Error) => {
    fault ??= faultOf(error);
    isClosed = true;
    closing?.abort();
  };
  stream.on('error', close);
  return {
    // Made when it is asked for: few commands do, and the first signal of a process takes Node a while.
    get closed() {
      closing ??= new AbortController();
      if (isClosed) closing.abort();
      return closing.signal;
    },
    write(text) {
      if (text === '' || isClosed) return;
      last = new Promise((resolve) => {
        stream.write(text, (error) => {
          if (error) close(error);
          resolve();
        });
      });
    },
    flush: () => last,
    findFault: () => fault,
  };
}

const READER_LEFT = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

function faultOf(error: Error): string | undefined {
  const code = errnoOf(error) ?? 'unknown';
  return READER_LEFT.has(code) ? undefined : code;
}
