import { RuntimeError } from '../core/errors.ts';
import { type AnyInput, encodeRequest, type WireRequest } from './client.ts';
import type { AnswerOf, InputOf, StreamOperation, Wire } from './operation.ts';
import { parseEventStream } from './parse-event-stream.ts';

/** Opens one connection. What is not 2xx is thrown as what it means, see `decodeWireError`. */
export type OpenBytes = (
  request: WireRequest & { readonly signal: AbortSignal },
) => Promise<AsyncIterable<Uint8Array>>;

export interface StreamRequest<W extends Wire> {
  readonly operation: Omit<StreamOperation<never, W>, 'follow'>;
  readonly input: InputOf<W>;
  readonly signal: AbortSignal;
  /** Whether the server is this very program, so that all it tells has the declared shape. */
  readonly isTrusted?: boolean;
}

/** What arrived together. */
export interface StreamPage<One> {
  readonly page: readonly One[];
  /** Nothing comes after it. */
  readonly isLast: boolean;
}

/** What one connection brings, until it ends. Made for `claw` and for browsers, as the client is. */
export async function* readStream<W extends Wire>(
  open: OpenBytes,
  { operation, input, signal, isTrusted = false }: StreamRequest<W>,
): AsyncGenerator<StreamPage<AnswerOf<W>>> {
  const request = encodeRequest(operation, input as AnyInput);
  const headers = { accept: 'text/event-stream', ...request.headers };
  const [bytes, wire] = await Promise.all([
    open({ ...request, headers, signal }),
    isTrusted ? undefined : operation.wire(),
  ]);
  for await (const frames of parseEventStream(bytes)) {
    const end = frames.findIndex(({ event }) => event === 'done');
    const whole = end === -1 ? frames : frames.slice(0, end);
    const page = whole.flatMap(({ data }) => decode(wire, data)) as AnswerOf<W>[];
    yield { page, isLast: end !== -1 };
    if (end !== -1) return;
  }
}

/** None for what this program has no words for: a newer server may have more to tell. */
function decode(wire: Wire | undefined, data: string): unknown[] {
  const value = toJson(data);
  if (wire === undefined) return [value];
  const parsed = wire.answers[200]?.schema.safeParse(value);
  if (parsed?.success) return [parsed.data];
  if (parsed?.error.issues.some(({ path }) => path[0] === 'event_type')) return [];
  throw unreadable(parsed?.error);
}

function toJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): RuntimeError {
  const message = "what the server tells can't be read: is it another version?";
  return new RuntimeError('internal', message, { cause });
}
