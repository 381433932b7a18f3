import { RuntimeError } from '../core/errors.ts';
import {
  type Answer,
  type AnswerOf,
  type Declaration,
  type InputOf,
  isRepeatable,
  type Operation,
  type Wire,
} from './operation.ts';

/** Asks a server what operations declare. Made for `claw` and for browsers: how requests travel is given. */
export interface Client {
  call<W extends Wire>(
    operation: Pick<Operation<never, W>, keyof Declaration | 'wire'>,
    input: InputOf<W>,
  ): Promise<AnswerOf<W>>;
}

/** Sends one request. What is not 2xx is thrown as what it means, see `decodeWireError`. */
export type Send = (request: WireRequest) => Promise<WireAnswer>;

export interface WireRequest {
  readonly method: Declaration['method'];
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body?: unknown;
  /** A body that is no JSON. */
  readonly file?: { readonly type: string; readonly content: AsyncIterable<Uint8Array> };
  /** Whether the answer's body is taken as it comes, unread. */
  readonly isAnsweredByFile?: boolean;
  /** Whether it may be sent again when its answer got lost. */
  readonly isRepeatable: boolean;
}

export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The parts of an input, whatever the operation. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const KEY = 'idempotency-key';

/** `isTrusted`: whether the server is this very program, so that its answers have the shapes declared here. */
export function createClient(send: Send, isTrusted = () => false): Client {
  return {
    async call(operation, input) {
      const request = encodeRequest(operation, input as AnyInput);
      // The schemas are loaded while the request is on its way, and not at all where nothing is checked by them.
      const [{ status, body }, wire] = await Promise.all([
        send(request),
        isTrusted() ? undefined : operation.wire(),
      ]);
      type Body = AnswerOf<Awaited<ReturnType<typeof operation.wire>>>;
      if (isTrusted()) return body as Body;
      const { answers } = wire ?? (await operation.wire());
      return decodeAnswer(answers[status], body, operation.name) as Body;
    },
  };
}

export function encodeRequest(declaration: Declaration, input: AnyInput): WireRequest {
  const { params = {}, query = {}, headers = {}, body } = input;
  // Sent again, it must not be done twice.
  const key = declaration.isRepeatable === 'by_key' ? { [KEY]: crypto.randomUUID() } : {};
  const path = declaration.path.replace(/:(\w+)|\*/g, (place, name) =>
    encodeSegment(params[name ?? place]),
  );
  const parameters = new URLSearchParams(toTexts(query));
  return {
    method: declaration.method,
    path: parameters.size === 0 ? path : `${path}?${parameters}`,
    headers: { ...key, ...toTexts(headers) },
    isRepeatable: isRepeatable(declaration),
    ...(declaration.files?.answer === undefined ? {} : { isAnsweredByFile: true }),
    ...encodeBody(declaration, body),
  };
}

function encodeBody({ files }: Declaration, body: unknown): Pick<WireRequest, 'body' | 'file'> {
  if (body === undefined || body === null) return {};
  if (files?.body === undefined) return { body };
  return { file: { type: files.body, content: body as AsyncIterable<Uint8Array> } };
}

/** One segment and no more: `..` would lead to another operation. */
function encodeSegment(value: unknown): string {
  const text = String(value);
  if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text);
  throw new RuntimeError('invalid_input', `${JSON.stringify(text)} can't be part of a path`);
}

/** What has a value. */
function toTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function decodeAnswer(answer: Answer | undefined, body: unknown, operation: string): unknown {
  const parsed = answer?.schema.safeParse(body);
  if (parsed?.success) return parsed.data;
  const place = parsed?.error.issues[0]?.path.join('.') ?? '';
  throw new RuntimeError(
    'internal',
    `the server's answer can't be read (${place}): is it another version?`,
    { cause: parsed?.error, details: { operation } },
  );
}
