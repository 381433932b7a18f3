import type { RunId } from '../../core/ids.ts';
import type { Audit } from '../../core/records/audit.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import { encodeAudit } from '../http/runtime-codec.ts';
import { auditVerdict } from '../http/runtime-shapes.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { verifyBody } from './runtime-schema.ts';

const verifyAudit = {
  summary: 'Verify the records',
  description:
    'Recomputes the hash chains in the database and in the audit files, of all runs or of one. One check at a time, ' +
    'else 409. It ends after 20 seconds; `complete` then is false, and the command line can check the rest.',
  tags: ['audit'],
  security: BEARER,
  querystring: noQuery,
  body: verifyBody,
  response: {
    200: answer('What was found.', auditVerdict),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

export function addAuditRoutes(app: SurfaceApp, audit: Audit): void {
  app.post('/audit/verify', { schema: verifyAudit }, async (request, reply) => {
    const runId = request.body?.run_id;
    const scope = runId === undefined ? {} : { runId: runId as RunId };
    return reply.send(encodeAudit(await audit.verify(scope)));
  });
}
