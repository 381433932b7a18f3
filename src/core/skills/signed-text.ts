import { findPublicKey, isSignedBy, type SigningKey, toKeyId } from '../secrets/signing-key.ts';

/** As it is written beside what was signed. */
export interface Signature {
  readonly algorithm: 'ed25519';
  readonly key_id: string;
  /** 32 bytes in base64. */
  readonly public_key: string;
  /** 64 bytes in base64. */
  readonly value: string;
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
  const key = findPublicKey(signature.public_key);
  return key !== undefined && isSignedBy(key, text, signature.value);
}
