import type { Clock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import { parseRetryAfterMs } from '../../core/reliability/retry-after.ts';
import { errnoOf } from '../../platform/errno-of.ts';

/** A provider of speech, as requests need it. */
export interface SpeechService {
  /** For messages, as in `OpenAI`. */
  readonly name: string;
  readonly baseUrl: string;
  readonly key: { readonly value: string; readonly place: string };
  readonly timeoutMs: number;
  /** Throws while no provider may be asked. */
  readonly assertMayCall: () => Promise<void>;
  readonly clock: Clock;
}

interface SpeechRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData | string;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
}

const MAX_MESSAGE_CHARS = 300;

/** The bytes of a good answer. Throws `provider_failed` for all others, and `provider_misconfigured` for a bad key. */
export async function requestSpeech(
  service: SpeechService,
  request: SpeechRequest,
): Promise<Uint8Array> {
  await service.assertMayCall();
  const { signal } = request;
  const limit = new AbortController();
  const cancel = service.clock.after(service.timeoutMs, () => limit.abort());
  try {
    return await send(service, { ...request, signal: AbortSignal.any([signal, limit.signal]) });
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof RuntimeError) throw thrown;
    const why = limit.signal.aborted
      ? `did not answer within ${service.timeoutMs} ms (voice.timeout_ms)`
      : `cannot be reached at ${new URL(service.baseUrl).origin}${codeOf(thrown)}`;
    throw failed(`${service.name} ${why}`);
  } finally {
    cancel();
  }
}

async function send(service: SpeechService, request: SpeechRequest): Promise<Uint8Array> {
  const { path, headers, body, maxAnswerBytes, signal } = request;
  const response = await fetch(`${service.baseUrl.replace(/\/+$/, '')}${path}`, {
    method: 'POST',
    ...(typeof body === 'string' ? { headers, body } : await toWhole(body, headers)),
    // A key must not follow to wherever a server points.
    redirect: 'error',
    signal,
  });
  const bytes = await readBytes(response, maxAnswerBytes);
  if (bytes === undefined) throw failed(`${service.name} sent too long an answer`);
  if (!response.ok) throw fromStatus(service, response, bytes);
  return bytes;
}

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function fromStatus(
  { name, key, clock }: SpeechService,
  { status, headers }: Response,
  bytes: Uint8Array,
): RuntimeError {
  if (status === 401 || status === 403) {
    return new RuntimeError(
      'provider_misconfigured',
      'Voice providers are not configured correctly',
      {
        details: {
          status,
          recovery_action: `${name} refuses the key in ${key.place}: set another one.`,
        },
      },
    );
  }
  const retryAfterMs = parseRetryAfterMs(
    (header) => headers.get(header) ?? undefined,
    clock.nowMs(),
  );
  const said = quote(bytes, key.value);
  return failed(`${name} answered HTTP ${status}${said}`, defined({ status, retryAfterMs }));
}

/** The provider's own words, cut short and without the key, which some of them repeat. */
function quote(bytes: Uint8Array, key: string): string {
  const answer = parseJson(bytes);
  const fault = isJsonObject(answer) ? (answer['error'] ?? answer['detail']) : undefined;
  const message = isJsonObject(fault) ? fault['message'] : fault;
  if (typeof message !== 'string' || message.trim() === '') return '';
  const safe = message.replaceAll(key, '[key]').replace(/\s+/g, ' ').trim();
  return `: ${safe.slice(0, MAX_MESSAGE_CHARS)}`;
}

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

export function failed(message: string, details: object = {}): RuntimeError {
  return new RuntimeError('provider_failed', message, { details: { ...details } });
}

function codeOf(thrown: unknown): string {
  const code = errnoOf(thrown) ?? errnoOf(thrown instanceof Error ? thrown.cause : undefined);
  return code === undefined ? '' : ` (${code})`;
}

/** As bytes: a form is sent as a stream, and one that is broken off ends the whole process on Node 24. */
async function toWhole(form: FormData, headers: Readonly<Record<string, string>>) {
  const whole = new Response(form);
  const type = whole.headers.get('content-type') ?? '';
  return { headers: { ...headers, 'content-type': type }, body: await whole.arrayBuffer() };
}
