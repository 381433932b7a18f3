import * as z from 'zod';
import { RuntimeError } from '../../core/errors.ts';
import { type Handoffs, MAX_CONTENT_CHARS } from '../../core/handoffs/handoffs.ts';
import type { JsonObject } from '../../core/json.ts';
import { DEFAULT_PROJECT_ID } from '../../core/projects/project-id.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { adoptAlias } from '../files/repair-arguments.ts';
import { callKey } from '../mail/call-key.ts';
import { requiredTextField } from '../mail/mail-fields.ts';
import { findProject } from '../runs/find-project.ts';
import { projectField } from '../runs/project-field.ts';

const MAX_NAME_CHARS = 200;

const input = z.strictObject({
  to_agent_id: requiredTextField({ name: 'to_agent_id', maxChars: MAX_NAME_CHARS }).describe(
    'The agent that takes the work over: its id, slug or name; agent.list tells who there is.',
  ),
  content: requiredTextField({ name: 'content', maxChars: MAX_CONTENT_CHARS }).describe(
    'What it is to do, with all that it has to know.',
  ),
  project_id: projectField('The project of this run when left out, and no other.').optional(),
});

interface HandedOver {
  readonly status: 'transferred';
  readonly handoff_id: string;
  readonly run_id: string;
  readonly summary: string;
}

export interface HandoffToolDeps {
  readonly handoffs: Pick<Handoffs, 'give'>;
  readonly runs: Pick<Runs, 'get'>;
}

/** The key is the caller's or the call's own: one that is repeated, also after a crash, is still one hand-off. */
export function createAgentHandoff({ handoffs, runs }: HandoffToolDeps): Tool {
  return defineTool<z.infer<typeof input>, HandedOver>({
    name: 'agent.handoff',
    description:
      'Hand work over to another agent of this runtime. It works on it in a run of its own, and its answer comes to your inbox.',
    effect: 'write',
    sendsKey: true,
    serves: 'everyone',
    source: 'src/toolbox/handoffs/agent-handoff.ts',
    input,
    repair: repairHandoff,
    summarize: (_, { summary }) => summary,

    async execute({ to_agent_id, content, project_id }, ctx) {
      const { handoff } = await handoffs.give({
        owner: ctx.principal,
        from: ctx.agentId,
        to: to_agent_id,
        content,
        projectId: chooseProject(project_id, await findProject(runs, ctx)),
        parentRunId: ctx.runId,
        key: `tool:${ctx.idempotencyKey ?? callKey(ctx)}`,
      });
      return {
        status: 'transferred',
        handoff_id: handoff.id,
        run_id: handoff.runId,
        summary: `handed over to agent ${handoff.to}`,
      };
    },
  });
}

/** Work that left its project would leave its budget. */
function chooseProject(wanted: string | undefined, own: string | undefined): string {
  if (own === undefined || wanted === undefined || wanted === own) {
    return own ?? wanted ?? DEFAULT_PROJECT_ID;
  }
  throw new RuntimeError('policy_denied', `work of project ${own} stays in it`, {
    details: { recovery_action: 'Leave project_id out.' },
  });
}

function repairHandoff(raw: JsonObject): JsonObject {
  const addressed = adoptAlias(raw, 'to_agent_id', ['to', 'agent_id', 'agent', 'recipient']);
  const written = adoptAlias(addressed, 'content', ['message', 'text', 'task', 'body']);
  return adoptAlias(written, 'project_id', ['project', 'projectId']);
}
