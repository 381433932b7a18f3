import { createHash, timingSafeEqual } from 'node:crypto';

export function digestSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Digests have one length: comparing them tells nothing about the length or the beginning of what they are of. */
export function isSecretOf(digest: Buffer, given: string): boolean {
  return timingSafeEqual(digest, digestSecret(given));
}
