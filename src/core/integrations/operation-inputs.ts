import * as z from 'zod';
import { REPOSITORY } from './parse-manifest.ts';

/** What operations of tool packs take, in the words of the wire; the tools that carry them out take the same. */
const MAX_RECIPIENTS = 50;
const MAX_COMMENT_CHARS = 65_536;
const MAX_MAIL_CHARS = 256 * 1024;
const MAX_SUBJECT_CHARS = 998;
const MAX_ADDRESS_CHARS = 320;

const repository = z
  .string({ error: 'must be owner/name' })
  .regex(REPOSITORY, 'must be owner/name')
  .refine((name) => !name.split('/').some((part) => /^\.+$/.test(part)), 'must be owner/name')
  .describe('As in owner/name.');

/** Products send numbers as text, too. */
const number = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
    z.int({ error: 'must be a positive integer' }).min(1, 'must be a positive integer'),
  )
  .describe('As GitHub shows it behind #.');

export const getIssueInput = z.strictObject({ repository, issue_number: number });
export const getPullRequestInput = z.strictObject({ repository, pull_number: number });
export const addIssueCommentInput = z.strictObject({
  repository,
  issue_number: number,
  body: text(MAX_COMMENT_CHARS).describe('Markdown.'),
});

/**
 * `a@example.com`, `Name <a@example.com>` or `"Name, B." <a@example.com>`, and nothing that could become a second header,
 * or a second recipient whom nobody has looked up.
 */
const BARE = String.raw`[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+`;
const NAME = String.raw`(?:[^<>@,;:"\\\p{Cc}]*|\s*"[^<>"\\\p{Cc}]*"\s*)`;
const address = z
  .string({ error: 'must be an e-mail address' })
  .max(MAX_ADDRESS_CHARS)
  .regex(new RegExp(`^(?:${NAME}<${BARE}>|${BARE})$`, 'u'), 'must be an e-mail address');
const addresses = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(address, { error: 'must be an e-mail address or a list of them' }),
  )
  .pipe(z.array(z.string()).min(1).max(MAX_RECIPIENTS));

export const sendEmailInput = z
  .strictObject({
    from: address,
    to: addresses,
    cc: addresses.optional(),
    bcc: addresses.optional(),
    reply_to: addresses.optional(),
    subject: text(MAX_SUBJECT_CHARS).regex(/^[^\r\n]*$/, 'must be one line'),
    text: text(MAX_MAIL_CHARS).optional(),
    html: text(MAX_MAIL_CHARS).optional(),
  })
  .refine((mail) => mail.text !== undefined || mail.html !== undefined, {
    path: ['text'],
    error: 'is required, or html in its place',
  });

export type GetIssue = z.infer<typeof getIssueInput>;
export type GetPullRequest = z.infer<typeof getPullRequestInput>;
export type AddIssueComment = z.infer<typeof addIssueCommentInput>;
export type SendEmail = z.infer<typeof sendEmailInput>;

function text(maxChars: number) {
  return z
    .string({ error: 'must be a string' })
    .min(1, 'must not be empty')
    .max(maxChars, `must be at most ${maxChars} characters`);
}

/** Everybody a mail goes to, without the names they are shown by. */
export function listRecipients(mail: Pick<SendEmail, 'to' | 'cc' | 'bcc'>): readonly string[] {
  return [...mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? [])].map(bareAddress);
}

function bareAddress(shown: string): string {
  return /<([^<>]+)>$/.exec(shown)?.[1] ?? shown;
}
