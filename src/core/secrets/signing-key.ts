import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** An ed25519 key of this installation. The private half stays where it was read. */
export interface SigningKey {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** Answers with 64 bytes in base64. */
  sign(text: string): string;
}

const KEY_BYTES = 32;
const KEY_ID_CHARS = 16;

/** Short enough to be read aloud; the whole key decides. */
export function toKeyId(publicKey: string): string {
  const bytes = Buffer.from(publicKey, 'base64');
  return createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_CHARS);
}

/** Undefined when these are not the 32 bytes of a key. */
export function findPublicKey(publicKey: string): KeyObject | undefined {
  const bytes = Buffer.from(publicKey, 'base64');
  if (bytes.length !== KEY_BYTES) return undefined;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}

export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}
