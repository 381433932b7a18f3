import type { NewMail } from '../core/mail/mail.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long delivered mail is kept: for people who look back, and for calls that are repeated after a crash. */
export const KEEP_DELIVERED_MS = 30 * DAY_MS;

/** Removed by one call at most. A call sends one mail, so what has gathered is gone soon all the same. */
export const MAX_REMOVED_MAIL = 100;

/** Owners name their mail without knowing of each other: the same name of two is two. */
export function toMailKey({ owner, key }: Pick<NewMail, 'owner' | 'key'>): string {
  return JSON.stringify([owner, key]);
}
