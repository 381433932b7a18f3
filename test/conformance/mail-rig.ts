import { createIds } from '../../src/core/create-ids.ts';
import type { AgentId } from '../../src/core/ids.ts';
import type { Mail, NewMail } from '../../src/core/mail/mail.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import type { Storage } from '../../src/core/storage.ts';
import { AGENT, MANY } from './harness.ts';

const ids = createIds(() => Date.now());

export const SENDER = 'agent_sender' as AgentId;

export function newMail(overrides: Partial<NewMail> = {}): NewMail {
  const id = ids.mail();
  return {
    id,
    owner: OPERATOR,
    key: `key:${id}`,
    from: SENDER,
    to: AGENT,
    subject: 'news',
    taskId: '',
    body: 'it works',
    runId: undefined,
    ...overrides,
  };
}

export async function sendMail({ mail }: Storage, overrides: Partial<NewMail> = {}): Promise<Mail> {
  const result = await mail.send(newMail(overrides), MANY);
  if (result.outcome !== 'sent') throw new Error(`expected mail to be sent: ${result.outcome}`);
  return result.mail;
}
