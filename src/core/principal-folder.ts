import { createHash } from 'node:crypto';

/** Below the workspace: the folders of principals. */
export const PRINCIPALS_FOLDER = 'principals';

const READABLE_CHARS = 32;
const DIGEST_DIGITS = 16;

/**
 * The name of an owner's folder. Guests are called whatever a product likes, also what differs only in case, leads
 * upwards or is no name on some file system: a digest keeps them apart, the rest is for people.
 */
export function toPrincipalFolder(owner: string): string {
  const user = /^user:(-?\d{1,16})$/.exec(owner)?.[1];
  if (user !== undefined) return `user-${user}`;
  const digest = createHash('sha256').update(owner).digest('hex').slice(0, DIGEST_DIGITS);
  const readable = owner
    .replace(/^guest:/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return `guest-${readable.slice(0, READABLE_CHARS)}-${digest}`;
}
