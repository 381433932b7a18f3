import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import { MAX_AUDIO_BYTES } from '../../core/voice/audio.ts';
import { audioTooLarge } from '../../core/voice/voice-errors.ts';
import { acceptJsonBody } from '../http/json-body.ts';

/** For the names of fields and what stands between them. */
const OVERHEAD_BYTES = 64 * 1024;
const MAX_MULTIPART_BYTES = MAX_AUDIO_BYTES + OVERHEAD_BYTES;
/** Four characters for three bytes. */
const MAX_JSON_BYTES = Math.ceil(MAX_AUDIO_BYTES / 3) * 4 + OVERHEAD_BYTES;

/** What a recording may come in, each made into what the JSON body would have been. */
export function acceptVoiceBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  acceptJsonBody(app, { maxBytes: MAX_JSON_BYTES, check: () => {} });
  app.addContentTypeParser(
    /^audio\//,
    { parseAs: 'buffer', bodyLimit: MAX_AUDIO_BYTES },
    async ({ query }: FastifyRequest, bytes: Buffer) => ({
      ...(query as object),
      audio_base64: bytes.toString('base64'),
    }),
  );
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_MULTIPART_BYTES },
    (request: FastifyRequest, bytes: Buffer) => readForm(request, bytes),
  );
  app.setErrorHandler((error: { readonly code?: string }) => {
    throw inOurWords(error);
  });
}

async function readForm(request: FastifyRequest, bytes: Buffer): Promise<object> {
  const form = await parseForm(request, bytes);
  const fields: Record<string, string> = { ...(request.query as object) };
  for (const [name, value] of form) {
    if (form.getAll(name).length > 1) throw badForm(`field ${name} is there twice`);
    if (typeof value === 'string') fields[name] = value;
    else if (name === 'audio') fields['audio_base64'] = await toBase64(value);
    else throw badForm(`a file named ${name} is not expected: name it audio`);
  }
  if (fields['audio_base64'] === undefined) throw badForm('there is no file named audio');
  return fields;
}

async function parseForm(request: FastifyRequest, bytes: Buffer): Promise<FormData> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  try {
    return await new Response(new Uint8Array(bytes), { headers }).formData();
  } catch {
    throw badForm('the body is not valid multipart/form-data');
  }
}

async function toBase64(file: Blob): Promise<string> {
  return Buffer.from(await file.arrayBuffer()).toString('base64');
}

function badForm(problem: string): RuntimeError {
  return new RuntimeError('invalid_input', problem);
}

function inOurWords(error: { readonly code?: string }): unknown {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return audioTooLarge();
  if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return error;
  const types = 'application/json, multipart/form-data or audio/*';
  return new RuntimeError('unsupported_media_type', `content-type must be ${types}`, {
    details: { recovery_action: `Send the recording as ${types}.` },
  });
}
