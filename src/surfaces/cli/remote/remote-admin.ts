import {
  approval,
  approvalList,
  capabilityList,
  circuit,
  effect,
  effectList,
  flushReceipt,
  idempotencyKeyList,
  reliabilityReport,
  toolDetail,
  toolList,
} from '../../http/admin-shapes.ts';
import type { AdminAccess } from '../admin-access.ts';
import { at, createAdminClient, toQuery } from './admin-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

/** What operators do, through the `/api/admin` of a running server. */
export function createRemoteAdmin(options: ServerLinkOptions): AdminAccess {
  const { get, put, once } = createAdminClient(options);
  return {
    listEffects: (query) => get(`/effects${toQuery(query)}`, effectList),
    getEffect: (id) => get(at`/effects/${id}`, effect),
    resolveEffect: (id, { status, note }) =>
      once(at`/effects/${id}/resolve`, effect, { status, ...withNote(note) }),
    listApprovals: (query) => get(`/approvals${toQuery(query)}`, approvalList),
    getApproval: (id) => get(at`/approvals/${id}`, approval),
    decideApproval: (id, { status, note, isAlways = false }) =>
      once(at`/approvals/${id}/${VERBS[status]}`, approval, {
        ...withNote(note),
        ...(isAlways ? { always: true } : {}),
      }),
    listTools: () => get('/tools', toolList),
    getTool: (name) => get(at`/tools/${name}`, toolDetail),
    getCircuit: (name) => get(at`/tools/${name}/circuit-breaker`, circuit),
    openCircuit: (name) => put(at`/tools/${name}/circuit-breaker/open`, circuit),
    resetCircuit: (name) => put(at`/tools/${name}/circuit-breaker/reset`, circuit),
    listKeys: (name, query) =>
      get(at`/tools/${name}/idempotency` + toQuery(query), idempotencyKeyList),
    flushKeys: (name, key) =>
      once(at`/tools/${name}/idempotency/flush`, flushReceipt, key === undefined ? {} : { key }),
    getReport: () => get('/tools/reliability-report', reliabilityReport),
    listCapabilities: (agentId) => get(at`/agents/${agentId}/capabilities`, capabilityList),
    changeCapability: (agentId, { tool, effect: change }) =>
      put(at`/agents/${agentId}/capabilities`, capabilityList, { tool, effect: change }),
  };
}

const VERBS = { approved: 'approve', denied: 'deny' } as const;

function withNote(note: string): { readonly note?: string } {
  return note === '' ? {} : { note };
}
