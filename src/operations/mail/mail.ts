import type { Agents } from '../../core/agents/agents.ts';
import type { MailStore } from '../../core/mail/mail.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeMail } from './mail-codec.ts';

interface MailReading {
  readonly agents: Pick<Agents, 'resolve'>;
  readonly mail: Pick<MailStore, 'list'>;
}

const define = operationsWith(() => import('./mail-shapes.ts'));

const listMail = define({
  name: 'mail.list',
  method: 'GET',
  path: '/api/admin/mail',
  effect: 'read',
  summary: "Look into an agent's inbox",
  description: 'Newest first, delivered or not. Looking delivers nothing.',
  tags: ['agents'],
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ mailQuery, mailList }) => ({
    query: mailQuery,
    answers: { 200: answer('Its mail.', mailList) },
  }),
  async run({ agents, mail }: MailReading, { query: { agent_id: agentId, undelivered, limit } }) {
    const { id } = await agents.resolve(agentId);
    const filter = undelivered === 'true' ? { isUndelivered: true } : {};
    return encodeMail(id, await mail.list({ agentId: id, limit, ...filter }));
  },
});

export const MAIL_OPERATIONS: readonly AnyOperation<MailReading>[] = [listMail];
