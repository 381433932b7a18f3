import { RuntimeError } from '../../../core/errors.ts';
import { isJsonObject } from '../../../core/json.ts';
import type { WireAnswer, WireRequest } from '../../../operations/client.ts';
import { decodeWireError } from '../../../operations/wire-error.ts';
import type { ServerAddress } from '../program/context.ts';

export interface HttpClient {
  /** A 2xx answer; anything else is thrown as what it means here. */
  send(request: HttpRequest): Promise<WireAnswer>;
  /** The bytes of an event stream. */
  open(request: HttpRequest & { readonly signal: AbortSignal }): Promise<AsyncIterable<Uint8Array>>;
}

export type HttpRequest = Omit<WireRequest, 'isRepeatable'>;

/** For as much as a file may have, over a slow line. */
const FILE_TIMEOUT_MS = 10 * 60 * 1000;
/** A loaded server answers in milliseconds; one that needs longer is stuck. */
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const HEALTH_TIMEOUT_MS = 2_000;
const MAX_ERROR_CHARS = 64 * 1024;

export function createHttpClient(server: ServerAddress): HttpClient {
  async function request(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { method, path, headers } = request;
    let response: Response;
    try {
      response = await fetch(new URL(path, server.url), {
        method,
        signal,
        redirect: 'error',
        headers: {
          ...(server.token === undefined ? {} : { authorization: `Bearer ${server.token}` }),
          ...typeOf(request),
          ...headers,
        },
        ...encodeBody(request),
      });
    } catch (cause) {
      throw unreachable(server, cause);
    }
    if (!response.ok) throw decodeWireError(response.status, await readBody(response));
    return response;
  }

  return {
    async send(one) {
      const isFile = one.file !== undefined || one.isAnsweredByFile === true;
      const timeoutMs = isFile ? FILE_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
      const response = await request(one, AbortSignal.timeout(timeoutMs));
      if (one.isAnsweredByFile) return { status: response.status, body: bodyOf(response) };
      try {
        return { status: response.status, body: await response.json() };
      } catch (cause) {
        throw unreachable(server, cause);
      }
    },

    async open(one) {
      // Only the answer's head is waited for here; the stream itself lasts as long as the run.
      const connecting = new AbortController();
      const timer = setTimeout(() => connecting.abort(), CONNECT_TIMEOUT_MS);
      try {
        const response = await request(one, AbortSignal.any([one.signal, connecting.signal]));
        return bodyOf(response);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function typeOf({ body, file }: HttpRequest): Record<string, string> {
  if (file) return { 'content-type': file.type };
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function encodeBody({ body, file }: HttpRequest): RequestInit {
  if (file) return { body: ReadableStream.from(file.content), duplex: 'half' };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  return body ?? (async function* () {})();
}

/** Whether a Pincer server answers there: a published address may be a dead server's, and its port somebody else's. */
export async function isHealthy(url: string): Promise<boolean> {
  const body = await askHealth(url, (response) => response.ok);
  return isJsonObject(body) && body['ok'] === true;
}

/** Why a server that is there can't serve; undefined when nobody answers, or nothing is wrong. */
export async function findHealthFault(url: string): Promise<string | undefined> {
  const body = await askHealth(url, ({ status }) => status === 503);
  const error = isJsonObject(body) ? body['error'] : undefined;
  const message = isJsonObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : undefined;
}

async function askHealth(url: string, isWanted: (response: Response) => boolean): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
    const response = await fetch(new URL('/healthz', url), { signal, redirect: 'error' });
    return isWanted(response) ? await readBody(response) : undefined;
  } catch {
    // Refused or too slow: nobody there to talk to.
    return undefined;
  }
}

function unreachable(server: ServerAddress, cause: unknown): RuntimeError {
  return new RuntimeError('shutting_down', `the server at ${server.url} does not answer`, {
    cause,
    details: {
      target: server.url,
      hint: 'claw doctor says whether it runs; without a server the command works on the state root itself',
    },
  });
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return JSON.parse((await response.text()).slice(0, MAX_ERROR_CHARS));
  } catch {
    return undefined;
  }
}
