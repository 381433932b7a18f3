import { createHash, createPublicKey, verify } from 'node:crypto';

/** The private half stays where it was read. */
export interface SigningKey {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** Answers with 64 bytes in base64. */
  sign(text: string): string;
}

/** As it is written beside what was signed. */
export interface Signature {
  readonly algorithm: 'ed25519';
  readonly key_id: string;
  /** 32 bytes in base64. */
  readonly public_key: string;
  /** 64 bytes in base64. */
  readonly value: string;
}

const KEY_BYTES = 32;
const KEY_ID_CHARS = 16;

/** Short enough to be read aloud; the whole key decides. */
function toKeyId(publicKey: string): string {
  const bytes = Buffer.from(publicKey, 'base64');
  return createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_CHARS);
}

export function signText(text: string, key: SigningKey): Signature {
  return {
    algorithm: 'ed25519',
    key_id: toKeyId(key.publicKey),
    public_key: key.publicKey,
    value: key.sign(text),
  };
}

/** What is wrong with a signature of this text. Who signed is another question. */
export function findSignatureFlaw(text: string, signature: Signature): string | undefined {
  if (toKeyId(signature.public_key) !== signature.key_id) {
    return 'its key_id does not belong to its public_key';
  }
  return isSigned(text, signature) ? undefined : 'its content does not match its signature';
}

function isSigned(text: string, signature: Signature): boolean {
  const bytes = Buffer.from(signature.public_key, 'base64');
  if (bytes.length !== KEY_BYTES) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature.value, 'base64'));
}
