import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';

/** JSON is the only body we take: unencoded, in UTF-8, without keys that would reach a prototype. */
export function acceptJsonBody(app: FastifyInstance, bodyLimit: number): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (request, body: Buffer, done) => {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        return done(
          new RuntimeError('unsupported_media_type', 'content-encoding must be identity'),
        );
      }
      // An empty body is no body: routes that need one say so.
      if (body.length === 0) return done(null, undefined);
      if (!isUtf8(body))
        return done(new RuntimeError('invalid_input', 'request body is not valid UTF-8'));
      return parseJson(request, body.toString('utf8'), done);
    },
  );
}
