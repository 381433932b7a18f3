import type { Agents } from '../../core/agents/agents.ts';
import type { MailStore } from '../../core/mail/mail.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { encodeMail } from '../http/runtime-codec.ts';
import { mailList } from '../http/runtime-shapes.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { mailQuery } from './runtime-schema.ts';

const listMail = {
  summary: "Look into an agent's inbox",
  description: 'Newest first, delivered or not. Looking delivers nothing.',
  tags: ['agents'],
  security: BEARER,
  querystring: mailQuery,
  response: {
    200: answer('Its mail.', mailList),
    ...errorAnswers(400, 401, 403, 404, 429, 500, 503),
  },
};

export interface MailRoutesDeps {
  readonly agents: Pick<Agents, 'get'>;
  readonly mail: Pick<MailStore, 'list'>;
}

export function addMailRoutes(app: SurfaceApp, { agents, mail }: MailRoutesDeps): void {
  app.get('/mail', { schema: listMail }, async (request, reply) => {
    const { agent_id: agentId, undelivered, limit } = request.query;
    const { id } = await agents.get(agentId);
    const filter = undelivered === 'true' ? { isUndelivered: true } : {};
    return reply.send(encodeMail(id, await mail.list({ agentId: id, limit, ...filter })));
  });
}
