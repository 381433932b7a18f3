import { type AgentDirectory, resolveAgent } from '../agents/resolve-agent.ts';
import { RuntimeError } from '../errors.ts';
import type { AgentId, Ids, RunId } from '../ids.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Mail, MailFilter, MailStore, TakeMail } from './mail.ts';

/** Mail between agents: what a surface or a tool may do with it. */
export interface Mailbox {
  /** Throws `not_found` for an unknown receiver, `conflict` for a key that named another message, `limit_reached` for a full inbox. */
  send(letter: Letter): Promise<SentMail>;
  /** Undelivered mail, oldest first, which is delivered by this; the same key again gets the same. */
  take(request: TakeMail): Promise<readonly Mail[]>;
  /** Newest first, delivered or not; changes nothing. */
  list(filter: MailFilter): Promise<readonly Mail[]>;
}

interface Letter {
  /** For whom it is sent, and taken. */
  readonly owner: string;
  readonly from: AgentId;
  /** By id, slug or name. */
  readonly to: string;
  readonly body: string;
  readonly subject?: string;
  readonly taskId?: string;
  readonly runId?: RunId;
  /** The owner's. The same again sends nothing: a repeated call is one mail. */
  readonly key: string;
}

interface SentMail {
  readonly mail: Mail;
  readonly replayed: boolean;
}

export interface MailboxDeps {
  readonly mail: MailStore;
  readonly agents: AgentDirectory;
  readonly ids: Pick<Ids, 'mail'>;
  readonly redactor: Redactor;
}

/** Mail that may wait for one agent. An agent that never looks must not fill the disk. */
export const MAX_UNDELIVERED = 1_000;
export const MAX_BODY_CHARS = 8_000;
export const MAX_SUBJECT_CHARS = 200;
export const MAX_TASK_ID_CHARS = 128;
export const MAX_TAKEN = 50;

export function createMailbox(deps: MailboxDeps): Mailbox {
  const { mail: store, redactor } = deps;
  return {
    async send(letter) {
      const { id: to } = await resolveAgent(deps.agents, letter.to);
      const result = await store.send(
        {
          id: deps.ids.mail(),
          owner: letter.owner,
          from: letter.from,
          to,
          subject: redactor.redactText(letter.subject ?? ''),
          taskId: redactor.redactText(letter.taskId ?? ''),
          body: redactor.redactText(letter.body),
          runId: letter.runId,
          key: letter.key,
        },
        MAX_UNDELIVERED,
      );
      if (result.outcome === 'sent') return { mail: result.mail, replayed: result.replayed };
      if (result.outcome === 'other_message') {
        throw new RuntimeError('conflict', 'the idempotency key was used for another message');
      }
      throw new RuntimeError(
        'limit_reached',
        `the inbox of agent ${letter.to} is full (${MAX_UNDELIVERED} undelivered)`,
        { details: { agent_id: to } },
      );
    },

    take: (request) => store.take({ ...request, limit: Math.min(request.limit, MAX_TAKEN) }),
    list: (filter) => store.list(filter),
  };
}
