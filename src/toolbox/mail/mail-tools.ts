import type { Mailbox } from '../../core/mail/mailbox.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { createMessageInbox } from './message-inbox.ts';
import { createMessageSend } from './message-send.ts';

export interface MailToolsDeps {
  readonly mailbox: Pick<Mailbox, 'send' | 'take'>;
}

export function createMailTools({ mailbox }: MailToolsDeps): readonly Tool[] {
  return [createMessageSend(mailbox), createMessageInbox(mailbox)];
}
