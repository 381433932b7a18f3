import * as z from 'zod';
import { toIso } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Mail } from '../../core/mail/mail.ts';
import { MAX_TAKEN, type Mailbox } from '../../core/mail/mailbox.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { adoptAlias } from '../files/repair-arguments.ts';
import { callKey } from './call-key.ts';
import { taskIdField } from './mail-fields.ts';

const DEFAULT_LIMIT = 10;
const LIMIT_MESSAGE = `limit must be a whole number from 1 to ${MAX_TAKEN}`;

const input = z.strictObject({
  limit: z
    .int({ error: LIMIT_MESSAGE })
    .min(1, LIMIT_MESSAGE)
    .max(MAX_TAKEN, LIMIT_MESSAGE)
    .describe(`The most messages to take; ${DEFAULT_LIMIT} when left out.`)
    .optional(),
  task_id: taskIdField('Only messages about this.').optional(),
});

interface Inbox {
  /** Oldest first. */
  readonly messages: readonly JsonObject[];
}

/**
 * A write, since what it hands out is delivered and no other call gets it. The key is the call's own, so that one
 * repeated after a crash gets the same messages instead of losing them.
 */
export function createMessageInbox(mailbox: Pick<Mailbox, 'take'>): Tool {
  return defineTool<z.infer<typeof input>, Inbox>({
    name: 'agent.message.inbox',
    description:
      'Take messages that other agents left for you, oldest first. Each is handed out once: deal with it or note it.',
    effect: 'write',
    sendsKey: true,
    // The sender may pass on what a stranger wrote.
    traits: ['untrusted_input'],
    serves: 'everyone',
    source: 'src/toolbox/mail/message-inbox.ts',
    input,
    repair: (raw) => adoptAlias(raw, 'task_id', ['task', 'taskId']),
    summarize: (_, { messages }) => `took ${messages.length} message(s)`,

    async execute({ limit = DEFAULT_LIMIT, task_id }, ctx) {
      const taken = await mailbox.take({
        agentId: ctx.agentId,
        owner: ctx.principal,
        key: callKey(ctx),
        limit,
        ...(task_id === undefined || task_id === '' ? {} : { taskId: task_id }),
      });
      return { messages: taken.map(describeMail) };
    },
  });
}

function describeMail(mail: Mail): JsonObject {
  return {
    mail_id: mail.id,
    from_agent_id: mail.from,
    subject: mail.subject,
    task_id: mail.taskId,
    message: mail.body,
    sent_at: toIso(mail.sentAtMs),
  };
}
