import type { ZodType } from 'zod';
import { RuntimeError } from '../../../core/errors.ts';
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
import { createHttpClient } from './http-client.ts';
import { sendAgain } from './send-again.ts';
import { createServerLink, type ServerLinkOptions } from './server-link.ts';

/** What operators do, through the `/api/admin` of a running server. */
export function createRemoteAdmin(options: ServerLinkOptions): AdminAccess {
  const link = createServerLink(options);

  const get = async <T>(path: string, shape: ZodType<T>) =>
    read(await sendAgain(link, { method: 'GET', path: PREFIX + path }), shape);

  /** A second time would do what the first did. */
  const put = async <T>(path: string, shape: ZodType<T>, body: object = {}) =>
    read(await sendAgain(link, { method: 'POST', path: PREFIX + path, body }), shape);

  /** A second time would be refused, or answer something else: when the answer is lost, the caller has to look. */
  const once = async <T>(path: string, shape: ZodType<T>, body: object) =>
    read(
      await createHttpClient(link.address).send({ method: 'POST', path: PREFIX + path, body }),
      shape,
    );

  return {
    listEffects: (query) => get(`/effects${toQuery(query)}`, effectList),
    getEffect: (id) => get(at`/effects/${id}`, effect),
    resolveEffect: (id, { status, note }) =>
      once(at`/effects/${id}/resolve`, effect, { status, ...withNote(note) }),
    listApprovals: (query) => get(`/approvals${toQuery(query)}`, approvalList),
    getApproval: (id) => get(at`/approvals/${id}`, approval),
    decideApproval: (id, { status, note }) =>
      once(at`/approvals/${id}/${VERBS[status]}`, approval, withNote(note)),
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

const PREFIX = '/api/admin';
const VERBS = { approved: 'approve', denied: 'deny' } as const;

/** A path whose parts are escaped. */
function at(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
}

function toQuery(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return `?${parameters}`;
}

function withNote(note: string): { readonly note?: string } {
  return note === '' ? {} : { note };
}

function read<T>(body: unknown, shape: ZodType<T>): T {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RuntimeError(
    'internal',
    `the server's answer can't be read (${issue?.path.join('.') ?? ''}): is it another version?`,
    { cause: parsed.error },
  );
}
