import {
  approval,
  capabilityList,
  circuit,
  effect,
  flushReceipt,
  idempotencyKeyList,
  reliabilityReport,
  toolDetail,
  toolList,
} from '../../http/admin-shapes.ts';
import { job, jobHistory, jobPreview } from '../../http/job-shapes.ts';
import { agent } from '../../http/runtime-shapes.ts';
import { compactedSession, messageList, session } from '../../http/session-shapes.ts';
import { mcpServerList, mcpToolPin } from '../mcp-access.ts';
import type { CommandSchema } from './command-schema.ts';
import {
  count,
  flag,
  list,
  type Members,
  object,
  oneOf,
  orNull,
  text,
  texts,
} from './json-schema.ts';
import { toMembers, toSchema } from './shape-members.ts';

/** Whether a server or the state root itself was asked. */
export const via = oneOf('server', 'local');
const nextCursor = orNull(text);

type ShapeMembers = ReturnType<typeof toMembers>;

function one({ fields, optional }: ShapeMembers, more: Members = {}): CommandSchema {
  return { fields: { ...fields, ...more, via }, optional };
}

function page(name: string, schema: Members[string]): CommandSchema {
  return {
    fields: { [`${name}_count`]: count, [name]: list(schema), next_cursor: nextCursor, via },
  };
}

const jobMembers = toMembers(job);
const agentMembers = toMembers(agent);
const sessionMembers = toMembers(session);
const approvalMembers = toMembers(approval);
const effectMembers = (() => {
  const { error = {}, ...fields } = toMembers(effect).fields;
  // `error` is the envelope's own.
  return { fields: { ...fields, effect_error: error }, optional: {} };
})();
const effectSchema = object(effectMembers.fields);
const toolsMembers = toMembers(toolList).fields;
const granted = { granted_count: count, ...toMembers(capabilityList).fields };
const rules = list(
  object(
    { tool: text, decision: oneOf('allow', 'ask', 'deny') },
    { where: object({ field: text }, { equals: text, prefix: text }) },
  ),
);
const commands = object({ allowed: texts, asked: texts, denied: texts });
const jobSwitch: CommandSchema = {
  fields: { paused: flag, via },
  optional: { ...jobMembers.fields, ...jobMembers.optional },
};

export const ADMIN_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  'agents list': page('agents', toSchema(agent)),
  'agents show': one(agentMembers),
  'agents create': one(agentMembers),
  'agents update': one(agentMembers),
  'sessions list': page('sessions', toSchema(session)),
  'sessions show': one(sessionMembers),
  'sessions messages': one(toMembers(messageList), { messages_count: count }),
  'sessions close': one(sessionMembers),
  'sessions compact': one(toMembers(compactedSession)),
  'sessions fork': one(sessionMembers),
  'schedule list': {
    fields: { ...page('jobs', toSchema(job)).fields, paused: flag },
  },
  'schedule show': one(jobMembers),
  'schedule add': one(jobMembers),
  'schedule update': one(jobMembers),
  'schedule remove': { fields: { job_id: text, removed: flag, via } },
  'schedule pause': jobSwitch,
  'schedule resume': jobSwitch,
  'schedule history': one(toMembers(jobHistory), { firings_count: count }),
  'schedule preview': one(toMembers(jobPreview), { upcoming_count: count }),
  'approvals list': page('approvals', toSchema(approval)),
  'approvals show': one(approvalMembers),
  'approvals approve': one(approvalMembers),
  'approvals deny': one(approvalMembers),
  'effects list': page('effects', effectSchema),
  'effects show': one(effectMembers),
  'effects resolve': one(effectMembers),
  'policy list': { fields: { ...granted, rules, commands, via } },
  'policy grant': { fields: { tool: text, effect: oneOf('grant'), ...granted, via } },
  'policy revoke': { fields: { tool: text, effect: oneOf('revoke'), ...granted, via } },
  'tool list': { fields: { tools_count: count, ...toolsMembers, via } },
  'tool show': one(toMembers(toolDetail)),
  'tool circuit-breaker status': one(toMembers(circuit)),
  'tool circuit-breaker open': one(toMembers(circuit)),
  'tool circuit-breaker reset': one(toMembers(circuit)),
  'tool idempotency list': one(toMembers(idempotencyKeyList), { keys_count: count }),
  'tool idempotency flush': one(toMembers(flushReceipt)),
  'tool reliability report': one(toMembers(reliabilityReport), { tools_count: count }),
  'mcp list': one(toMembers(mcpServerList), { servers_count: count }),
  'mcp approve': one(toMembers(mcpToolPin)),
};
