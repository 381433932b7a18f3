import type { InputStream } from './program/context.ts';

/** Lines as a person types them. */
export interface LineReader {
  /** Undefined when there are no more. Asked again before an answer came, it waits for the same line. */
  next(): Promise<string | undefined>;
}

/** Never closes the stream: whoever asks once may ask again. */
export function createLineReader(input: InputStream): LineReader {
  const decoder = new TextDecoder();
  let chunks: AsyncIterator<Buffer | string> | undefined;
  let rest = '';
  let reading: Promise<string | undefined> | undefined;

  async function read(): Promise<string | undefined> {
    chunks ??= input[Symbol.asyncIterator]();
    for (;;) {
      const end = rest.indexOf('\n');
      if (end !== -1) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return line;
      }
      const { value, done } = await chunks.next();
      if (done === true) return undefined;
      rest += typeof value === 'string' ? value : decoder.decode(value, { stream: true });
      // What nobody would type is not kept.
      rest = rest.slice(-MAX_REST_CHARS);
    }
  }

  return {
    next() {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

const MAX_REST_CHARS = 4_096;
