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
}

/** A reader that leaves early, as `head` does, is no fault: what it did not want is dropped without a word. */
export function createOutputStream(stream: ProgramStream): OutputStream {
  const closing = new AbortController();
  let last: Promise<void> = Promise.resolve();
  stream.on('error', () => closing.abort());
  return {
    closed: closing.signal,
    write(text) {
      if (text === '' || closing.signal.aborted) return;
      last = new Promise((resolve) => {
        stream.write(text, (error) => {
          if (error) closing.abort();
          resolve();
        });
      });
    },
    flush: () => last,
  };
}
