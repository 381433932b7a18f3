import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

export interface MasterKey {
  readonly bytes: Buffer;
  /** Tells keys apart without telling anything about them. */
  readonly id: string;
}

export interface SealedValue {
  readonly nonce: Buffer;
  /** With its tag at the end. */
  readonly ciphertext: Buffer;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARS = 32;

export function generateMasterKey(): MasterKey {
  return toMasterKey(randomBytes(KEY_BYTES));
}

/** 32 bytes in hex or in either alphabet of base64; undefined for anything else. */
export function parseMasterKey(text: string): MasterKey | undefined {
  const trimmed = text.trim();
  // Hex first: its digits are base64 too, of other bytes and a wrong length.
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return toMasterKey(Buffer.from(trimmed, 'hex'));
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  const bytes = Buffer.from(trimmed, 'base64');
  return bytes.length === KEY_BYTES ? toMasterKey(bytes) : undefined;
}

export function formatMasterKey(key: MasterKey): string {
  return key.bytes.toString('base64');
}

function toMasterKey(bytes: Buffer): MasterKey {
  const id = createHmac('sha256', bytes).update('pincer secret store').digest('hex');
  return { bytes, id: id.slice(0, KEY_ID_CHARS) };
}

/** The name is authenticated with the value: one that is moved under another name does not open. */
export function sealValue(key: MasterKey, name: string, value: string): SealedValue {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(name, 'utf8'));
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return { nonce, ciphertext: Buffer.concat([body, cipher.getAuthTag()]) };
}

/** Undefined when it was not sealed with this key under this name. Files of before had no names: `undefined`. */
export function openValue(
  key: MasterKey,
  name: string | undefined,
  sealed: SealedValue,
): string | undefined {
  const { nonce, ciphertext } = sealed;
  if (nonce.length !== NONCE_BYTES || ciphertext.length < TAG_BYTES) return undefined;
  const end = ciphertext.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  if (name !== undefined) decipher.setAAD(Buffer.from(name, 'utf8'));
  decipher.setAuthTag(ciphertext.subarray(end));
  try {
    const body = decipher.update(ciphertext.subarray(0, end));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    // The one thing that can go wrong here is the tag.
    return undefined;
  }
}
