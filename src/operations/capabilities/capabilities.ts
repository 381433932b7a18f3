import { OPERATOR } from '../../core/principal.ts';
import type { ToolGrants } from '../../core/tools/tool-grants.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeCapabilities } from './capability-codec.ts';

/** For those who only look. */
export interface CapabilityReading {
  readonly grants: Pick<ToolGrants, 'list'>;
}

export interface CapabilityWriting extends CapabilityReading {
  readonly grants: ToolGrants;
}

const define = operationsWith(() => import('./capability-shapes.ts'));

const TAGS = ['capabilities'];
const CAPABILITIES = '/api/admin/agents/:agent_id/capabilities';

export const listCapabilities = define({
  name: 'capabilities.list',
  method: 'GET',
  path: CAPABILITIES,
  effect: 'read',
  summary: 'List what an agent may use',
  description: 'The tools that exist now, and what operators changed beside the configuration.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ capabilityParams, capabilityList }) => ({
    params: capabilityParams,
    answers: { 200: answer('Its capabilities.', capabilityList) },
  }),
  run: async ({ grants }: CapabilityReading, { params }) =>
    encodeCapabilities(await grants.list(params.agent_id)),
});

export const changeCapability = define({
  name: 'capabilities.change',
  method: 'POST',
  path: CAPABILITIES,
  effect: 'write',
  isRepeatable: true,
  summary: 'Grant or revoke a tool',
  description:
    'Kept over restarts, and in force at the next call. The last word about a tool counts; a whole name beats a prefix.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 413, 415, 429, 500, 503],
  wire: ({ capabilityParams, changeCapabilityBody, capabilityList }) => ({
    params: capabilityParams,
    body: changeCapabilityBody,
    answers: { 200: answer('Its capabilities after the change.', capabilityList) },
  }),
  async run({ grants }: CapabilityWriting, { params, body: { tool, effect } }) {
    const change = { agentId: params.agent_id, tool, effect, by: OPERATOR };
    return encodeCapabilities(await grants.change(change));
  },
});

/** In the order of the documentation. */
export const CAPABILITY_OPERATIONS: readonly AnyOperation<CapabilityWriting>[] = [
  listCapabilities,
  changeCapability,
];
