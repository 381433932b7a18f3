import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF8_NAMES = /^(?:utf-?8|us-ascii)$/i;

export interface JsonBodyOptions {
  readonly maxBytes: number;
  /** Throws when the bytes are not what they should be. */
  readonly check: (request: FastifyRequest, bytes: Buffer) => void;
}

/** JSON is the only body we take: unencoded, in UTF-8, without keys that would reach a prototype. */
export function acceptJsonBody(app: FastifyInstance, options: JsonBodyOptions): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: options.maxBytes },
    (request, body: Buffer, done) => {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        return done(
          new RuntimeError('unsupported_media_type', 'content-encoding must be identity'),
        );
      }
      const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1];
      if (charset !== undefined && !UTF8_NAMES.test(charset)) {
        return done(new RuntimeError('unsupported_media_type', 'charset must be utf-8'));
      }
      try {
        options.check(request, body);
      } catch (thrown) {
        return done(toRuntimeError(thrown));
      }
      // An empty body is no body: routes that need one say so.
      if (body.length === 0) return done(null, undefined);
      if (!isUtf8(body))
        return done(new RuntimeError('invalid_input', 'request body is not valid UTF-8'));
      const text = body.toString('utf8');
      return parseJson(request, text, (error, value) => {
        done(error !== null && isJson(text) ? forbiddenKey() : error, value);
      });
    },
  );
}

/** Of what the parser refused: JSON after all, so it was refused for a key. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function forbiddenKey(): RuntimeError {
  return new RuntimeError(
    'invalid_input',
    'request body must not have a field named __proto__ or constructor.prototype',
  );
}
