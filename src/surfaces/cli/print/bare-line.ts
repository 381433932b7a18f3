import type { InputStream } from '../program/context.ts';

export interface Line {
  readonly argv: readonly string[];
  readonly stdin: InputStream;
}

/** Chunks of nothing but blanks after which no message is expected any more. */
const MAX_BLANK_CHUNKS = 1_000;

/**
 * What a command line without a command means: on a terminal a chat, in a pipe a message for the agent. Unchanged when
 * there is neither a terminal nor anything to read.
 */
export async function completeBareLine(line: Line, isTerminal: boolean): Promise<Line> {
  const { argv, stdin } = line;
  if (stdin.isTTY === true) return isTerminal ? { argv: ['chat', ...argv], stdin } : line;
  const message = await findMessage(stdin);
  return message === undefined ? line : { argv: ['ask', ...argv], stdin: message };
}

/** The stream from its beginning, once it has brought anything but blanks. */
async function findMessage(stdin: InputStream): Promise<InputStream | undefined> {
  const chunks = stdin[Symbol.asyncIterator]();
  const seen: (Buffer | string)[] = [];
  while (seen.length < MAX_BLANK_CHUNKS) {
    const { value, done } = await chunks.next();
    if (done === true) return undefined;
    seen.push(value);
    if (String(value).trim() !== '') return replay(seen, chunks);
  }
  return undefined;
}

function replay(
  seen: readonly (Buffer | string)[],
  rest: AsyncIterator<Buffer | string>,
): InputStream {
  return {
    async *[Symbol.asyncIterator]() {
      yield* seen;
      yield* { [Symbol.asyncIterator]: () => rest };
    },
  };
}
