import { RuntimeError } from '../core/errors.ts';

export interface StreamFrame {
  readonly event: string;
  readonly data: string;
}

/** One frame: an event holds at most a tool's kept output, which config bounds far below this. */
const MAX_FRAME_CHARS = 32 * 1024 * 1024;

/** The frames of a server-sent event stream. Each yield holds all that arrived together. */
export async function* parseEventStream(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamFrame[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > MAX_FRAME_CHARS) {
      throw new RuntimeError(
        'internal',
        `the server sent a frame of over ${MAX_FRAME_CHARS} characters`,
      );
    }
    const end = rest.lastIndexOf('\n\n');
    if (end === -1) continue;
    const frames = rest.slice(0, end).split('\n\n').flatMap(parseFrame);
    rest = rest.slice(end + 2);
    if (frames.length > 0) yield frames;
  }
  // What is left was cut off: it comes again, whole, after the reconnect.
}

function parseFrame(block: string): StreamFrame[] {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([a-z]+): ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? [] : [{ event, data: data.join('\n') }];
}
