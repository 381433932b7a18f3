import { z } from 'zod';
import { agent } from '../../../operations/agents/agent-shapes.ts';
import { importReport } from '../../../operations/agents/parcel-shapes.ts';
import { approval } from '../../../operations/approvals/approval-shapes.ts';
import { capabilityList } from '../../../operations/capabilities/capability-shapes.ts';
import { budget, budgetList, costSummary } from '../../../operations/costs/cost-shapes.ts';
import { effect } from '../../../operations/effects/effect-shapes.ts';
import { job, jobHistory, jobPreview } from '../../../operations/jobs/job-shapes.ts';
import { killSwitchState } from '../../../operations/kill-switch/kill-switch-shapes.ts';
import { mcpServerList, toolPin } from '../../../operations/mcp/mcp-shapes.ts';
import {
  foundMemories,
  memory,
  memoryStats,
  pinned,
  removed,
} from '../../../operations/memory/memory-shapes.ts';
import { bridgeStatus } from '../../../operations/openclaw/bridge-shapes.ts';
import {
  compactedSession,
  listedSession,
  messageList,
  seenSession,
  session,
} from '../../../operations/sessions/session-shapes.ts';
import {
  circuit,
  flushReceipt,
  idempotencyKeyList,
  reliabilityReport,
  toolDetail,
  toolList,
} from '../../../operations/tools/tool-shapes.ts';
import { type AnswerShape, type AnswerShapes, count, texts, via } from './answer-fields.ts';

function page(name: string, shape: AnswerShape): AnswerShape {
  return z.object({
    [`${name}_count`]: count,
    [name]: z.array(shape),
    next_cursor: z.string().nullable(),
    via,
  });
}

const { error: effectError, ...effectMembers } = effect.shape;
/** `error` is the envelope's own. */
const toldEffect = z
  .object({ ...effectMembers, effect_error: effectError })
  .meta({ id: 'ToldEffect' });
const granted = z.object({ granted_count: count, ...capabilityList.shape });
const rule = z.object({
  tool: z.string(),
  decision: z.enum(['allow', 'ask', 'deny']),
  where: z
    .object({
      field: z.string(),
      equals: z.string().optional(),
      prefix: z.string().optional(),
    })
    .optional(),
});
const commands = z.object({ allowed: texts, asked: texts, denied: texts });
const jobSwitch = job.partial().extend({ paused: z.boolean(), via });
const oneAgent = agent.extend({ via });
const oneSession = session.extend({ via });
const oneJob = job.extend({ via });
const oneApproval = approval.extend({ via });
const oneEffect = toldEffect.extend({ via });
const oneCircuit = circuit.extend({ via });

export const ADMIN_SHAPES: AnswerShapes = {
  'agents list': page('agents', agent),
  'agents show': oneAgent,
  'agents create': oneAgent,
  'agents spawn': oneAgent,
  'agents permissions': oneAgent,
  'agents sleep': oneAgent,
  'agents wake': oneAgent,
  'agents delete': oneAgent.extend({ deleted: z.literal(true) }),
  'agents export': z.object({ agent: z.string(), file: z.string(), bytes: z.int(), via }),
  'agents import': importReport.extend({ via }),
  'agents update': oneAgent,
  'sessions list': page('sessions', listedSession),
  'sessions show': seenSession.extend({ via }),
  'sessions messages': messageList.extend({ messages_count: count, via }),
  'sessions close': oneSession,
  'sessions compact': compactedSession.extend({ via }),
  'sessions fork': oneSession,
  'memory add': z.object({ memory_id: z.string(), via }),
  'memory search': foundMemories.extend({ results_count: count, via }),
  'memory list': page('memories', memory),
  'memory show': memory.extend({ via }),
  'memory update': memory.extend({ via }),
  'memory pin': pinned.extend({ via }),
  'memory unpin': pinned.extend({ via }),
  'memory delete': removed.extend({ via }),
  'memory status': memoryStats.extend({ via }),
  'memory import': z.object({
    file: z.string(),
    stored: count,
    reinforced: count,
    replayed: count,
    via,
  }),
  'schedule list': page('jobs', job).extend({ paused: z.boolean() }),
  'schedule show': oneJob,
  'schedule add': oneJob,
  'schedule update': oneJob,
  'schedule remove': z.object({ job_id: z.string(), removed: z.boolean(), via }),
  'schedule pause': jobSwitch,
  'schedule resume': jobSwitch,
  'schedule history': jobHistory.extend({ firings_count: count, via }),
  'schedule preview': jobPreview.extend({ upcoming_count: count, via }),
  'stop-all': killSwitchState.extend({ via }),
  'resume-all': killSwitchState.extend({ via }),
  'costs summary': costSummary.extend({ via }),
  'costs usage': costSummary.extend({ recorded: z.literal(true), via }),
  'costs budgets': budgetList.extend({ budgets_count: count, via }),
  'costs set-budget': budget.extend({ via }),
  'costs unset-budget': z.object({ scope: z.string(), removed: z.literal(true), via }),
  'approvals list': page('approvals', approval),
  'approvals show': oneApproval,
  'approvals approve': oneApproval,
  'approvals deny': oneApproval,
  'effects list': page('effects', toldEffect),
  'effects show': oneEffect,
  'effects resolve': oneEffect,
  'policy list': granted.extend({ rules: z.array(rule), commands, via }),
  'policy grant': granted.extend({ tool: z.string(), effect: z.literal('grant'), via }),
  'policy revoke': granted.extend({ tool: z.string(), effect: z.literal('revoke'), via }),
  'tool list': toolList.extend({ tools_count: count, via }),
  'tool show': toolDetail.extend({ via }),
  'tool circuit-breaker status': oneCircuit,
  'tool circuit-breaker open': oneCircuit,
  'tool circuit-breaker reset': oneCircuit,
  'tool idempotency list': idempotencyKeyList.extend({ keys_count: count, via }),
  'tool idempotency flush': flushReceipt.extend({ via }),
  'tool reliability report': reliabilityReport.extend({ tools_count: count, via }),
  'mcp list': mcpServerList.extend({ servers_count: count, via }),
  'mcp approve': toolPin.extend({ via }),
  'openclaw status': bridgeStatus.extend({ via }),
  'openclaw connect': bridgeStatus.extend({ via }),
};
