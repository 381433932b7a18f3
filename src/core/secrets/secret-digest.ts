import * as crypto from 'node:crypto';

/** In one call where Node has it (20.12): every request brings a token, and the Hash object between cost most of it. */
export const digestSecret: (secret: string) => Buffer =
  typeof crypto.hash === 'function'
    ? (secret) => crypto.hash('sha256', secret, 'buffer')
    : (secret) => crypto.createHash('sha256').update(secret).digest();

/** Digests have one length: comparing them tells nothing about the length or the beginning of what they are of. */
export function isSecretOf(digest: Buffer, given: string): boolean {
  return crypto.timingSafeEqual(digest, digestSecret(given));
}
