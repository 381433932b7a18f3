import { RuntimeError } from '../../../src/core/errors.ts';
import type { Send, WireRequest } from '../../../src/operations/client.ts';
import { decodeWireError } from '../../../src/operations/wire-error.ts';
import { noteServerTime } from './server-time.ts';
import { endedState, session } from './session-state.ts';

/** The server did not answer at all; everything that was asked can be asked again. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The server does not answer.', { cause });
    this.name = 'Unreachable';
  }
}

/** Longer than any answer that is no stream takes. */
const ANSWER_MS = 60_000;

/** One request of this browser's sign-in. */
export const send: Send = async (request) => {
  const response = await ask(request, AbortSignal.timeout(ANSWER_MS));
  if (request.isAnsweredByFile === true) return { status: response.status, body: response.body };
  return { status: response.status, body: await readJson(response) };
};

/** A 2xx answer, its body still to be read; what else comes is thrown as what it means. */
export async function ask(request: WireRequest, signal: AbortSignal): Promise<Response> {
  const { csrfToken, state } = session.get();
  // A cookie that was refused is refused again: the server would take it for an attack, and shut this address out.
  if (state !== 'in') throw new RuntimeError('unauthenticated', 'the sign-in has ended');
  const response = await reach(request, { csrfToken, signal });
  noteServerTime(response.headers.get('date'));
  if (response.ok) return response;
  // The page stays as it is, with what was typed, and asks who is there in front of it.
  // What was asked before somebody signed in again says nothing about that sign-in.
  if (response.status === 401 && csrfToken === session.get().csrfToken) {
    session.set({ ...session.get(), state: endedState() });
  }
  throw await toError(response);
}

/** What a proxy answers for a server that is gone. */
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Of a refusal in words, or of an answer that is nobody's. */
export async function toError(response: Response): Promise<Error> {
  const { status } = response;
  const body = await readJson(response).catch(() => undefined);
  const refusal = decodeWireError(status, body);
  return body === undefined && GATEWAY_STATUSES.has(status) ? new Unreachable(refusal) : refusal;
}

interface Reaching {
  readonly csrfToken: string | undefined;
  readonly signal: AbortSignal;
}

async function reach(request: WireRequest, { csrfToken, signal }: Reaching): Promise<Response> {
  const { method, path, headers, body } = request;
  try {
    return await fetch(path, {
      method,
      signal,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.file === undefined ? {} : { 'content-type': request.file.type }),
        ...(csrfToken === undefined ? {} : { 'x-pincer-csrf': csrfToken }),
      },
      body: await toBody(request),
    });
  } catch (cause) {
    if (signal.aborted && signal.reason?.name !== 'TimeoutError') throw cause;
    throw new Unreachable(cause);
  }
}

/** Streaming a body needs HTTP/2: a file is gathered first. */
async function toBody({ body, file }: WireRequest): Promise<BodyInit | null> {
  if (file === undefined) return body === undefined ? null : JSON.stringify(body);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of file.content) parts.push(new Uint8Array(part));
  return new Blob(parts);
}

export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}
