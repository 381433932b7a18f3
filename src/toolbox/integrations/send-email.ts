import { RuntimeError } from '../../core/errors.ts';
import { INTEGRATION_CALLER } from '../../core/integrations/integration-caller.ts';
import {
  listRecipients,
  type SendEmail,
  sendEmailInput,
} from '../../core/integrations/operation-inputs.ts';
import type { JsonObject } from '../../core/json.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { callService } from './call-service.ts';
import { findService, MAX_SERVICE_TIMEOUT_MS, type ServiceDeps } from './find-service.ts';

export interface SendEmailDeps extends ServiceDeps {
  readonly isSuppressed: (recipient: string) => Promise<boolean>;
}

/** Through Resend, which honours `Idempotency-Key`: the same call sent twice is one mail. */
export function createSendEmail(deps: SendEmailDeps): Tool {
  return defineTool<SendEmail, JsonObject>({
    name: 'resend.send_email',
    description: 'Send an e-mail through Resend.',
    effect: 'write',
    sendsKey: true,
    circuit: 'resend',
    traits: ['outward_effect'],
    limits: { timeoutMs: MAX_SERVICE_TIMEOUT_MS },
    source: 'src/toolbox/integrations/send-email.ts',
    input: sendEmailInput,
    summarize: ({ to }, { id }) => `sent ${String(id)} to ${to.length} recipients`,

    async execute(mail, ctx) {
      // There the manifest decides, and has decided by now.
      if (ctx.agentId !== INTEGRATION_CALLER) await assertNotSuppressed(deps, mail);
      const service = await findService(deps, 'resend', ctx);
      const body = mail as unknown as JsonObject;
      const request = { method: 'POST', path: '/emails', body } as const;
      const answer = await callService({ ...service, headers: {} }, request, ctx);
      const { id } = answer.body;
      return { id: typeof id === 'string' ? id : null };
    },
  });
}

async function assertNotSuppressed(deps: SendEmailDeps, mail: SendEmail): Promise<void> {
  for (const recipient of listRecipients(mail)) {
    if (!(await deps.isSuppressed(recipient))) continue;
    throw new RuntimeError('policy_denied', 'a recipient is on the suppression list', {
      details: { reason: 'suppressed_recipient' },
    });
  }
}
