import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ZodType } from 'zod';
import type { RuntimeError } from '../../core/errors.ts';
import type { SignInId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { Wire } from '../../operations/operation.ts';
import type { OpenApiDocument } from './openapi/openapi-document.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { EventStreams } from './streams/event-streams.ts';

/** Turns a refusal into what one surface's contract says about it. */
export type EncodeError = (error: RuntimeError) => EncodedError;

interface EncodedError {
  readonly status: number;
  readonly body: unknown;
}

/** Whom the rate limit counts. Never a secret: it appears in no answer but may appear in logs. */
interface Caller {
  readonly id: string;
  /** Of whoever came with the cookie of a sign-in, and without the token. */
  readonly signInId?: SignInId;
  /** Calls back when what it came with is taken from it; the returned function takes that back. */
  readonly whenEnded?: (onEnd: () => void) => () => void;
}

/** Says who asks, or throws `unauthenticated`. Runs before the body is read. */
export type Authenticate = (request: FastifyRequest) => Caller | Promise<Caller>;

export type SurfaceApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What the server lends to every surface. */
export interface SurfaceKit {
  readonly logger: Logger;
  readonly streams: EventStreams;
  readonly rateLimiter: RateLimiter;
  /** The document of all surfaces, made on first use. */
  openApi(): Promise<OpenApiDocument>;
}

/** A contract laid over the core: everything under `prefix` fails in this surface's envelope. */
export interface Surface {
  /** Label in logs and metrics. */
  readonly name: string;
  /** `/v1`, or empty for routes at the root. */
  readonly prefix: string;
  readonly encodeError: EncodeError;
  /** What an error looks like, for the documentation; absent, as with dotted codes. */
  readonly errorEnvelope?: ZodType;
  /** For every route that does not name its own, unknown ones included. */
  readonly authenticate: Authenticate | 'public';
  readonly maxBodyBytes?: number;
  /** Sees the bytes of a body before they are parsed, and may refuse them by throwing. */
  checkBytes?(request: FastifyRequest, bytes: Buffer): void;
  /** The part of authentication that needs the body, or comes last. Runs before validation, also without a body. */
  confirm?(request: FastifyRequest): Promise<void>;
  routes(app: SurfaceApp, kit: SurfaceKit): void | Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Of the surface whose routes are added. */
    errorEnvelope: ZodType;
    /** Whether routes are added only to be described; else shapes are loaded when a request needs them. */
    isDocument: boolean;
    /** What loads the shapes of this surface. */
    wires: (() => Promise<Wire>)[];
  }
  interface FastifyRequest {
    /** Undefined where anybody may ask. */
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    /** Overrides the surface's own rule for one route. */
    authenticate?: Authenticate | 'public';
    /** Probes and scrapes: logged at debug only. */
    quiet?: boolean;
  }
}
