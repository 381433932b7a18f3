import type { RunId } from '../../core/ids.ts';
import type { Audit } from '../../core/records/audit.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeAuditVerdict, isComplete } from './audit-codec.ts';

interface AuditReading {
  readonly audit: Audit;
}

const define = operationsWith(() => import('./audit-shapes.ts'));

const verifyRecords = define({
  name: 'audit.verify',
  method: 'POST',
  path: '/api/admin/audit/verify',
  effect: 'read',
  summary: 'Verify the records',
  description:
    'Recomputes the hash chains in the database and in the audit files, of all runs or of one. One check at a time, ' +
    'else 409. It ends after 20 seconds; `complete` then is false, and the command line can check the rest.',
  tags: ['audit'],
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ verifyBody, auditVerdict }) => ({
    body: verifyBody,
    answers: { 200: answer('What was found.', auditVerdict) },
  }),
  async run({ audit }: AuditReading, { body }) {
    const runId = body?.run_id;
    const verdict = await audit.verify(runId === undefined ? {} : { runId: runId as RunId });
    return { ...encodeAuditVerdict(verdict), complete: isComplete(verdict) };
  },
});

export const AUDIT_OPERATIONS: readonly AnyOperation<AuditReading>[] = [verifyRecords];
