import type { AgentId, MailId, RunId } from '../ids.ts';

/** A message from one agent to another. */
export interface Mail {
  readonly id: MailId;
  /** For whom it was sent: `operator`, or a principal such as `user:42`. Nobody else's agents get it. */
  readonly owner: string;
  readonly from: AgentId;
  readonly to: AgentId;
  readonly subject: string;
  readonly taskId: string;
  readonly body: string;
  readonly runId: RunId | undefined;
  readonly sentAtMs: number;
  readonly deliveredAtMs: number | undefined;
}

export interface NewMail extends Omit<Mail, 'sentAtMs' | 'deliveredAtMs'> {
  /** The owner's name for it. The same again sends nothing and answers with the first mail: a repeated call is one mail. */
  readonly key: string;
}

/** Whether a key that comes again comes with the message it came with first. */
export function isSameMessage(mail: NewMail, known: Mail): boolean {
  return (
    mail.from === known.from &&
    mail.to === known.to &&
    mail.subject === known.subject &&
    mail.taskId === known.taskId &&
    mail.body === known.body
  );
}

/**
 * Durable inboxes. Each method is one transaction. Mail is kept for 30 days after it was delivered; then sending and
 * taking remove it, a bounded number at a time, and its keys are forgotten with it.
 */
export interface MailStore {
  /** Refused for another message under a known key, and when the inbox holds `maxUndelivered` of the owner already. */
  send(mail: NewMail, maxUndelivered: number): Promise<SendResult>;

  /**
   * The oldest undelivered mail of an agent and owner, which is delivered by this. The same key again answers with the same
   * mail: a call that is repeated after a crash loses nothing, and no other call ever sees it.
   */
  take(request: TakeMail): Promise<Mail[]>;

  /** Newest first, delivered or not; changes nothing. */
  list(filter: MailFilter): Promise<Mail[]>;
}

export type SendResult =
  | { readonly outcome: 'sent'; readonly mail: Mail; readonly replayed: boolean }
  | { readonly outcome: 'other_message' }
  | { readonly outcome: 'inbox_full' };

export interface TakeMail {
  readonly agentId: AgentId;
  /** Only mail that was sent for the same: also the operator takes none of a principal's away. */
  readonly owner: string;
  readonly key: string;
  readonly limit: number;
  readonly taskId?: string;
}

export interface MailFilter {
  readonly agentId: AgentId;
  readonly limit: number;
  readonly isUndelivered?: boolean;
}
