import type { ZodType, z } from 'zod';

/**
 * One thing that can be asked of the runtime, declared once: routes, OpenAPI, the client, `claw` and `claw schema` are
 * derived from it. No schema library is loaded by a declaration: what goes over the wire is told on demand, and
 * a command that asks the store itself never needs it.
 */
export interface Operation<Deps, W extends Wire> extends Declaration {
  wire(): Promise<W>;
  /** The core call. Takes what was decoded, or what would come of decoding, and answers in the words of the wire. */
  readonly run: (deps: Deps, input: InputOf<W>) => Promise<Outcome<W>>;
}

/** One whose answer goes on, as server-sent events; `done` comes behind the last of all. */
export interface StreamOperation<Deps, W extends Wire> extends Declaration {
  wire(): Promise<W>;
  /** What a reader that comes back says as `last-event-id`. */
  readonly placeOf: (one: AnswerOf<W>) => number;
  /** What a stream would bring, without one. Ends where the stream would. */
  readonly follow: (
    deps: Deps,
    input: InputOf<W>,
    signal: AbortSignal,
  ) => AsyncGenerator<readonly AnswerOf<W>[]>;
}

/** Any operation that gets along with these parts of the core. */
export interface AnyOperation<Deps> extends Declaration {
  wire(): Promise<Wire>;
  readonly run: (deps: Deps, input: never) => Promise<unknown>;
}

export interface Declaration {
  /** `jobs.list`: the noun and what is done to it. Unique. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The whole of it, parameters as `:job_id`; `*` is all that is left, slashes and all. */
  readonly path: `/${string}`;
  /** Whether it only looks. Then a command without a server opens the store for reading and creates nothing. */
  readonly effect: 'read' | 'write';
  /**
   * Whether it may be sent again when its answer got lost. All but POST and DELETE may, unless it is said here. `by_key`:
   * with an Idempotency-Key, which the client makes when it is given none.
   */
  readonly isRepeatable?: boolean | 'by_key';
  /** Who may ask: anybody, or who is signed in. Absent: whoever holds the token, or is signed in. */
  readonly access?: 'public' | 'sign_in';
  /** Media types of what is no JSON: a body that is read as it comes, an answer that is sent so. */
  readonly files?: { readonly body?: string; readonly answer?: string };
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly errors: readonly ErrorStatus[];
}

/** The statuses that a refusal can have. */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 409
  | 410
  | 413
  | 415
  | 422
  | 429
  | 500
  | 502
  | 503
  | 504;

/**
 * Shapes only check and fill in defaults: what was decoded, sent once more, means the same. So callers give what is
 * decoded, and it makes no difference whether it travelled.
 */
export interface Wire {
  readonly params?: ZodType;
  /** Absent: no parameter is taken. */
  readonly query?: ZodType;
  readonly headers?: ZodType;
  /** One that may be null may be absent. */
  readonly body?: ZodType;
  readonly answers: Readonly<Record<number, Answer>>;
}

export interface Answer<Schema extends ZodType = ZodType> {
  readonly description: string;
  readonly schema: Schema;
  /** `stream`: server-sent events, of which each has such data. `audio`: a file. */
  readonly kind: 'json' | 'stream' | 'audio';
  /** The data of server-sent events that may come instead, when the caller asks for them. */
  readonly streamed?: ZodType;
}

type Part<W, Name extends string> = W extends { readonly [N in Name]: infer S extends ZodType }
  ? { readonly [N in Name]: z.output<S> }
  : unknown;

export type InputOf<W extends Wire> = Part<W, 'params'> &
  Part<W, 'query'> &
  Part<W, 'headers'> &
  Part<W, 'body'>;

export type AnswerOf<W extends Wire> = {
  [Status in keyof W['answers']]: W['answers'][Status] extends Answer<infer S>
    ? z.output<S>
    : never;
}[keyof W['answers']];

/** A body alone has the lowest status that is declared and no headers of its own. */
type Outcome<W extends Wire> = AnswerOf<W> | Reply<AnswerOf<W>>;

export class Reply<Body> {
  readonly body: Body;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: Body, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** What was answered, without what only HTTP has. */
export function toBody<Body>(outcome: Body | Reply<Body>): Body {
  return outcome instanceof Reply ? outcome.body : outcome;
}

export function answer<Schema extends ZodType>(
  description: string,
  schema: Schema,
): Answer<Schema> {
  return { description, schema, kind: 'json' };
}

export function stream<Schema extends ZodType>(
  description: string,
  schema: Schema,
): Answer<Schema> {
  return { description, schema, kind: 'stream' };
}

export function audio<Schema extends ZodType>(description: string, schema: Schema): Answer<Schema> {
  return { description, schema, kind: 'audio' };
}

export function isRepeatable({ method, isRepeatable: said }: Declaration): boolean {
  return said === undefined ? method !== 'POST' && method !== 'DELETE' : said !== false;
}

type Definition<Shapes, Deps, W extends Wire> = Declaration & {
  readonly wire: (shapes: Shapes) => W;
  readonly run: (deps: Deps, input: InputOf<W>) => Promise<Outcome<W>>;
};

/** The way to declare operations whose shapes are in one file, which is loaded when they are first asked for. */
export function operationsWith<Shapes>(load: () => Promise<Shapes>) {
  return <Deps, W extends Wire>(definition: Definition<Shapes, Deps, W>): Operation<Deps, W> => ({
    ...definition,
    wire: async () => definition.wire(await load()),
  });
}

type StreamDefinition<Shapes, Deps, W extends Wire> = Omit<StreamOperation<Deps, W>, 'wire'> & {
  readonly wire: (shapes: Shapes) => W;
};

type Declared<Shapes, W extends Wire> = Declaration & { readonly wire: (shapes: Shapes) => W };

/** The same for what only a route can do, which says itself how. */
export function declarationsWith<Shapes>(load: () => Promise<Shapes>) {
  return <W extends Wire>(declared: Declared<Shapes, W>) => ({
    ...declared,
    wire: async () => declared.wire(await load()),
  });
}

/** The same for those that stream. */
export function streamsWith<Shapes>(load: () => Promise<Shapes>) {
  return <Deps, W extends Wire>(
    definition: StreamDefinition<Shapes, Deps, W>,
  ): StreamOperation<Deps, W> => ({
    ...definition,
    wire: async () => definition.wire(await load()),
  });
}
