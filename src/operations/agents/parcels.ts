import { PARCEL_TYPE } from '../../core/parcels/parcel-format.ts';
import type { Parcels } from '../../core/parcels/parcels.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { decodeApproval } from './agent-codec.ts';
import { decodeImport, encodeReport } from './parcel-codec.ts';

export interface ParcelHandling {
  readonly parcels: Parcels;
}

const define = operationsWith(() => import('./parcel-shapes.ts'));

const TAGS = ['agents'];

export const exportAgent = define({
  name: 'agents.export',
  method: 'POST',
  path: '/api/admin/agents/:agent_id/export',
  effect: 'write',
  isRepeatable: true,
  files: { answer: PARCEL_TYPE },
  summary: 'Export an agent as one file',
  description:
    'Definition, soul, conversations, memories, facts, jobs and the skills it names, signed. Never secrets.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ agentParams, exportQuery, parcelBytes }) => ({
    params: agentParams,
    query: exportQuery,
    answers: { 200: answer('The parcel.', parcelBytes) },
  }),
  run: ({ parcels }: ParcelHandling, { params, query }) =>
    parcels.export(params.agent_id, { withAudit: query.with_audit }),
});

export const importAgent = define({
  name: 'agents.import',
  method: 'POST',
  path: '/api/admin/agents/import',
  effect: 'write',
  files: { body: PARCEL_TYPE },
  summary: 'Import an agent from a file',
  description:
    'All of it or nothing, under new ids, jobs paused. The same file again finds its agent. `preview=true` only tells.',
  tags: TAGS,
  errors: [400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
  wire: ({ importQuery, approvalHeaders, parcelBytes, importReport }) => ({
    query: importQuery,
    headers: approvalHeaders,
    body: parcelBytes,
    answers: { 200: answer('What came of it, or would.', importReport) },
  }),
  run: async ({ parcels }: ParcelHandling, { query, headers, body }) =>
    encodeReport(await parcels.import(body, decodeImport(query, decodeApproval(headers)))),
});

/** In the order of the documentation. */
export const PARCEL_OPERATIONS: readonly AnyOperation<ParcelHandling>[] = [
  exportAgent,
  importAgent,
];
