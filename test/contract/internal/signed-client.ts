import { type SignedRequest, signRequest } from '../../../src/sign-request.ts';
import { type Answer, type Call, createHttpClient } from '../v1/http-client.ts';
import { openSignedStream, type StreamReader } from './stream-reader.ts';

export const SECRET = 'signature-secret-for-tests-0123456789';
export const USER = 42;

/** Absent facts are taken from the request itself, so that a call is signed for what it says. */
type Signing = Partial<SignedRequest>;

export interface SignedCall extends Call {
  readonly sign?: Signing;
  /** Whom it is made for; `USER` when neither is given, nobody when `nobody` is set. */
  readonly userId?: number;
  readonly guestScope?: string;
  readonly nobody?: boolean;
}

/** A back end of a product: every call is signed anew. Paths are without `/internal/v1`. */
export interface SignedClient {
  call(path: string, options?: SignedCall): Promise<Answer>;
  get(path: string, options?: SignedCall): Promise<Answer>;
  post(path: string, body: unknown, options?: SignedCall): Promise<Answer>;
  /** An event stream; `status` and `frames()` of it. */
  stream(path: string, options?: SignedCall): Promise<StreamReader>;
}

export function createSignedClient(port: number, secret = SECRET): SignedClient {
  const http = createHttpClient(port);
  const call = (path: string, options: SignedCall = {}) =>
    http.call(`/internal/v1${path}`, {
      ...options,
      anonymous: true,
      headers: { ...signatureOf(path, options, secret), ...options.headers },
    });
  return {
    call,
    get: (path, options) => call(path, options),
    post: (path, body, options = {}) => call(path, { ...options, method: 'POST', body }),
    stream: (path, options = {}) =>
      openSignedStream(port, `/internal/v1${path}`, {
        ...signatureOf(path, options, secret),
        ...(options.headers as Record<string, string> | undefined),
      }),
  };
}

/** The headers that a call would be sent with. */
function signatureOf(path: string, options: SignedCall, secret = SECRET): Record<string, string> {
  const url = new URL(path, 'http://internal');
  const body = isFields(options.body) ? options.body : {};
  const [, inPath] = /^\/runs\/([^/?]+)/.exec(path) ?? [];
  const runId = decoded(inPath) ?? url.searchParams.get('run_id') ?? body['run_id'];
  const threadId = url.searchParams.get('thread_id') ?? body['thread_id'];
  return signRequest({
    secret,
    ...principalOf(options),
    ...(typeof runId === 'string' ? { runId } : {}),
    ...(typeof threadId === 'string' ? { threadId } : {}),
    ...options.sign,
  });
}

/** As the server reads a path; what is no encoding stays as it is. */
function decoded(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function principalOf({ userId, guestScope, nobody }: SignedCall): Partial<SignedRequest> {
  if (nobody === true) return {};
  if (userId === undefined && guestScope === undefined) return { userId: USER };
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(guestScope === undefined ? {} : { guestScope }),
  };
}

function isFields(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Buffer.isBuffer(body);
}
