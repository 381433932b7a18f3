import { basename, dirname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import type { Voice } from '../../core/voice/voice.ts';
import type { VoiceStep } from '../../core/voice/voice-request.ts';
import type { InputOf } from '../../operations/operation.ts';
import { processVoice, readSpoken, type VoiceSpeaking } from '../../operations/voice/voice.ts';
import { createVoiceAnswer, encodeStep } from '../../operations/voice/voice-codec.ts';
import { checkRequest } from '../http/check-request.ts';
import { describeRoute, toUrl } from '../http/openapi/route-schema.ts';
import { rememberWire } from '../http/remember-wire.ts';
import { encodeSseFrame } from '../http/streams/sse-frame.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';
import { decodeVoice } from './decode-voice.ts';
import { encodeApiError } from './errors.ts';
import { acceptVoiceBodies } from './voice-bodies.ts';

/** What only a route can do: recordings as bodies, steps as a stream, files with ranges. */
export async function addVoiceRoutes(
  app: SurfaceApp,
  kit: SurfaceKit,
  deps: VoiceSpeaking,
): Promise<void> {
  const wireOf = rememberWire(app, processVoice);
  const route = {
    url: toUrl(app, processVoice.path),
    ...(await describeRoute(app, processVoice)),
  };
  // Nobody else here takes recordings.
  await app.register(async (scope) => {
    acceptVoiceBodies(scope);
    scope.route({
      ...route,
      method: 'POST',
      async handler(request, reply) {
        const wire = await wireOf();
        // Checked by the very schemas that its types are made of.
        const { headers, body } = checkRequest(wire, request) as InputOf<typeof wire>;
        const asked = decodeVoice(body, headers['idempotency-key']);
        return answer(kit, deps.voice.process(asked, untilLeft(reply)), { request, reply });
      },
    });
  });
  await addOutput(app, deps.voice);
}

/** Aborts when nobody waits for the answer any more. */
function untilLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => left.abort(new RuntimeError('cancelled', 'nobody listens')));
  return left.signal;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function answer(
  kit: SurfaceKit,
  steps: AsyncGenerator<VoiceStep>,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  // What stands in the way of being heard is told as a status.
  const { value: first } = await steps.next();
  try {
    const all = prepend(first as VoiceStep, steps);
    if (first?.step === 'heard' && first.replayed) reply.header('idempotent-replay', 'true');
    const wantsStream = /\btext\/event-stream\b/i.test(request.headers.accept ?? '');
    if (wantsStream) return await pump(kit, reply, all);
    const gathered = createVoiceAnswer();
    for await (const step of all) gathered.add(step);
    return reply.send(gathered.get());
  } finally {
    // Also where a stream could not be opened: whoever is at work would be at work for ever.
    await steps.return(undefined);
  }
}

async function* prepend(first: VoiceStep, rest: AsyncGenerator<VoiceStep>) {
  yield first;
  yield* rest;
}

/** A stream can't be taken up again: its frames have no ids, and the run is there to be read. */
async function pump(kit: SurfaceKit, reply: FastifyReply, steps: AsyncGenerator<VoiceStep>) {
  const stream = kit.streams.open(reply);
  const send = (event: string, data: object) =>
    stream.send([encodeSseFrame({ event, data: JSON.stringify(data) })]);
  const gathered = createVoiceAnswer();
  try {
    for await (const step of steps) {
      if (stream.signal.aborted) return reply;
      gathered.add(step);
      const { event, data } = encodeStep(step);
      await send(event, data);
    }
    await send('done', gathered.get());
  } catch (thrown) {
    const error = toRuntimeError(thrown);
    if (error.code === 'internal') kit.logger.error({ err: error }, 'a spoken request failed');
    await send('error', encodeApiError(error).body as object);
  } finally {
    stream.close();
  }
  return reply;
}

async function addOutput(app: SurfaceApp, voice: Voice): Promise<void> {
  const wireOf = rememberWire(app, readSpoken);
  app.route({
    method: 'GET',
    url: toUrl(app, readSpoken.path),
    ...(await describeRoute(app, readSpoken)),
    async handler(request, reply) {
      const wire = await wireOf();
      const { params } = checkRequest(wire, request) as InputOf<typeof wire>;
      return serveOutput(voice, params.file, { request, reply });
    },
  });
}

async function serveOutput(
  voice: Voice,
  file: string,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const found = await voice.findSpoken(file);
  if (!found) throw notThere(file);
  const { send } = await import('@fastify/send');
  const options = { root: dirname(found.path), contentType: false, index: false } as const;
  const ranged = await send(request.raw, `/${basename(found.path)}`, options);
  // A range that lies behind the end is no reason to withhold the rest.
  const sent =
    ranged.statusCode === 416
      ? await send(request.raw, `/${basename(found.path)}`, { ...options, acceptRanges: false })
      : ranged;
  if (sent.type === 'error') throw notThere(file);
  return reply
    .code(sent.statusCode)
    .headers({ ...sent.headers, 'cache-control': 'private, no-store' })
    .type(found.mediaType)
    .send(sent.stream);
}

function notThere(file: string): RuntimeError {
  return new RuntimeError('not_found', `there is no spoken answer ${JSON.stringify(file)}`, {
    details: {
      thing: 'audio',
      recovery_action: 'Ask again: spoken answers are kept for voice.output_max_age_ms.',
    },
  });
}
