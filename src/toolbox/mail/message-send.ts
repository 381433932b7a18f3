import * as z from 'zod';
import { AGENT_REFERENCE_PATTERN, AGENT_REFERENCE_RULE } from '../../core/agents/resolve-agent.ts';
import { defined } from '../../core/defined.ts';
import type { JsonObject } from '../../core/json.ts';
import { MAX_BODY_CHARS, MAX_SUBJECT_CHARS, type Mailbox } from '../../core/mail/mailbox.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { adoptAlias } from '../files/repair-arguments.ts';
import { callKey } from './call-key.ts';
import { requiredTextField, taskIdField, textField } from './mail-fields.ts';

const input = z.strictObject({
  to_agent_id: requiredTextField({ name: 'to_agent_id', maxChars: 128 })
    .regex(AGENT_REFERENCE_PATTERN, `to_agent_id ${AGENT_REFERENCE_RULE}`)
    .describe('Who gets the message, by id, slug or name; agent.list tells who there is.'),
  message: requiredTextField({ name: 'message', maxChars: MAX_BODY_CHARS }).describe(
    'What to tell it.',
  ),
  task_id: taskIdField('What it is about, so that the receiver can ask for it alone.').optional(),
  subject: textField({ name: 'subject', maxChars: MAX_SUBJECT_CHARS })
    .describe('One line.')
    .optional(),
});

interface Sent {
  readonly sent: true;
  readonly mail_id: string;
  readonly to_agent_id: string;
  readonly task_id: string;
  readonly summary: string;
}

/** The key is the caller's or the call's own: one that is repeated, also after a crash, is still one mail. */
export function createMessageSend(mailbox: Pick<Mailbox, 'send'>): Tool {
  return defineTool<z.infer<typeof input>, Sent>({
    name: 'agent.message.send',
    description:
      'Leave a message for another agent of this runtime. It is kept until that agent reads its inbox; nobody is woken by it.',
    effect: 'write',
    sendsKey: true,
    serves: 'everyone',
    source: 'src/toolbox/mail/message-send.ts',
    input,
    repair: repairLetter,
    summarize: (_, { summary }) => summary,

    async execute({ to_agent_id, message, task_id, subject }, ctx) {
      const { mail } = await mailbox.send({
        owner: ctx.principal,
        from: ctx.agentId,
        to: to_agent_id,
        body: message,
        runId: ctx.runId,
        key: ctx.idempotencyKey ?? callKey(ctx),
        ...defined({ taskId: task_id, subject }),
      });
      return {
        sent: true,
        mail_id: mail.id,
        to_agent_id: mail.to,
        task_id: mail.taskId,
        summary: `sent a message to agent ${to_agent_id}`,
      };
    },
  });
}

function repairLetter(raw: JsonObject): JsonObject {
  const addressed = adoptAlias(raw, 'to_agent_id', ['to', 'agent_id', 'agent', 'recipient']);
  const written = adoptAlias(addressed, 'message', ['body', 'text', 'content']);
  return adoptAlias(written, 'task_id', ['task', 'taskId']);
}
