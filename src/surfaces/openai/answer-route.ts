import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerEnd, AnswerPart } from '../../core/completions/answer.ts';
import type { CompletionRequest, Completions } from '../../core/completions/completions.ts';
import type { AnswerStep, Exchange } from '../../core/completions/follow-answer.ts';
import { defined } from '../../core/defined.ts';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import type { EventStream } from '../http/streams/event-stream.ts';
import { encodeSseFrame, type SseFrame } from '../http/streams/sse-frame.ts';
import type { SurfaceKit } from '../http/surface.ts';

/** How one of the two ways to ask reads and writes. */
export interface AnswerCodec<Body> {
  decode(body: Body): CompletionRequest;
  encode(body: Body, exchange: Exchange, end: AnswerEnd): unknown;
  /** Frames for the parts of one answer; it remembers what it has told. */
  createEncoder(body: Body, exchange: Exchange): (part: AnswerPart) => SseFrame[];
  /** A fault of the stream itself: the answer may be whole, and whoever reads is told to come back. */
  encodeFault(error: RuntimeError): SseFrame;
  /** For a reader that has everything. */
  readonly last: SseFrame | undefined;
}

export interface AnswerHeaders {
  readonly 'idempotency-key'?: string | undefined;
  readonly 'last-event-id'?: number | undefined;
}

interface AnswerDeps {
  readonly completions: Completions;
  readonly kit: SurfaceKit;
}

export interface StreamedBody {
  readonly stream?: boolean | null | undefined;
}

interface Asked<Body> {
  readonly body: Body;
  readonly headers: AnswerHeaders;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Asks for an answer and sends it, whole or as it comes. Whoever leaves does not lose it: the run goes on. */
export async function sendAnswer<Body extends StreamedBody>(
  { completions, kit }: AnswerDeps,
  codec: AnswerCodec<Body>,
  { body, headers, request, reply }: Asked<Body>,
): Promise<FastifyReply> {
  const { 'idempotency-key': idempotencyKey, 'last-event-id': seenThrough } = headers;
  if (seenThrough !== undefined && idempotencyKey === undefined) throw noKey();
  const wish = { ...codec.decode(body), ...defined({ idempotencyKey }) };
  const exchange = await completions.begin(wish);
  reply.header('x-run-id', exchange.run.id);
  if (exchange.replayed) reply.header('idempotent-replay', 'true');
  if (body.stream !== true) {
    const end = await awaitEnd(completions, exchange, reply);
    return reply.send(codec.encode(body, exchange, end));
  }
  const stream = kit.streams.open(reply);
  const encode = codec.createEncoder(body, exchange);
  try {
    await pump({ completions, codec, encode, stream }, exchange, seenThrough ?? 0);
  } catch (thrown) {
    if (!stream.signal.aborted) {
      const error = toRuntimeError(thrown);
      if (error.code === 'internal') {
        const about = { request_id: request.id, run_id: exchange.run.id, err: thrown };
        kit.logger.error(about, 'answer stream failed');
      }
      await stream.send([encodeSseFrame(codec.encodeFault(error))]);
    }
  } finally {
    stream.close();
  }
  return reply;
}

async function awaitEnd(
  completions: Completions,
  exchange: Exchange,
  reply: FastifyReply,
): Promise<AnswerEnd> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  reply.raw.once('close', leave);
  try {
    return await completions.awaitAnswer(exchange, gone.signal);
  } catch (thrown) {
    // The run has tried again by itself where that helps; a client that does so too would pay for another run.
    reply.header('x-should-retry', 'false');
    throw thrown;
  } finally {
    reply.raw.off('close', leave);
  }
}

interface Pump {
  readonly completions: Completions;
  readonly codec: Pick<AnswerCodec<never>, 'last'>;
  readonly encode: (part: AnswerPart) => SseFrame[];
  readonly stream: EventStream;
}

async function pump(
  { completions, codec, encode, stream }: Pump,
  exchange: Exchange,
  seenThrough: number,
): Promise<void> {
  let hasSent = false;
  for await (const steps of completions.follow(exchange, { seenThrough, signal: stream.signal })) {
    const frames = steps.flatMap((step) => encodeStep(step, encode));
    if (frames.length === 0) continue;
    hasSent = true;
    await stream.send(frames);
  }
  if (!hasSent && codec.last) await stream.send([encodeSseFrame(codec.last)]);
}

/** The last frame of a step has its id: who comes back with it has had all of the step. */
function encodeStep({ seq, isSeen, parts }: AnswerStep, encode: Pump['encode']): string[] {
  const frames = parts.flatMap(encode);
  if (isSeen) return [];
  return frames.map((frame, index) =>
    encodeSseFrame(index === frames.length - 1 ? { ...frame, id: seq } : frame),
  );
}

function noKey(): RuntimeError {
  return new RuntimeError(
    'invalid_input',
    'last-event-id needs the Idempotency-Key of the call whose stream broke off',
    { details: { field: 'last-event-id' } },
  );
}
