import * as z from 'zod';
import { toIso } from '../../../core/clock.ts';
import { type MasterKey, openValue, sealValue } from './secret-cipher.ts';

interface SecretEntry {
  readonly value: string;
  readonly updatedAtMs: number;
}

export type SecretEntries = ReadonlyMap<string, SecretEntry>;

export const NO_ENTRIES: SecretEntries = new Map();

/** The file as it lies there. `keyId` is undefined in the shape of before, which told nothing about its key. */
export interface SecretDocument {
  readonly keyId: string | undefined;
  readonly isEmpty: boolean;
  /** Undefined when the key does not fit or the content was altered. */
  decrypt(key: MasterKey): SecretEntries | undefined;
}

const VERSION = 1;

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const date = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const current = z.strictObject({
  version: z.literal(VERSION),
  key_id: z.string().regex(/^[0-9a-f]{32}$/),
  // Names that were taken over from the shape of before may be any text.
  secrets: z.record(
    z.string(),
    z.strictObject({ nonce: bytes, ciphertext: bytes, updated_at: date }),
  ),
});

/** One ciphertext over the JSON of all names and values. */
const legacy = z.object({ nonce: bytes, ciphertext: bytes, updated_at: date });
const legacyValues = z.record(z.string(), z.string());

/** Undefined when the text is neither shape: cut off, altered, or something else. */
export function decodeSecretDocument(text: string): SecretDocument | undefined {
  const parsed = parseJson(text);
  const now = current.safeParse(parsed);
  if (now.success) return toDocument(now.data);
  const before = legacy.safeParse(parsed);
  return before.success ? toLegacyDocument(before.data) : undefined;
}

/** Every value is sealed anew, under a nonce that was never used with this key. */
export function encodeSecretDocument(entries: SecretEntries, key: MasterKey): string {
  const secrets = [...entries].sort(byName).map(([name, { value, updatedAtMs }]) => {
    const { nonce, ciphertext } = sealValue(key, name, value);
    return [
      name,
      {
        nonce: nonce.toString('base64'),
        ciphertext: ciphertext.toString('base64'),
        updated_at: toIso(updatedAtMs),
      },
    ];
  });
  const document = { version: VERSION, key_id: key.id, secrets: Object.fromEntries(secrets) };
  return `${JSON.stringify(document, null, 2)}\n`;
}

export function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function toDocument({ key_id, secrets }: z.infer<typeof current>): SecretDocument {
  const sealed = Object.entries(secrets);
  return {
    keyId: key_id,
    isEmpty: sealed.length === 0,
    decrypt(key) {
      const entries = new Map<string, SecretEntry>();
      for (const [name, one] of sealed) {
        const value = openValue(key, name, one);
        if (value === undefined) return undefined;
        entries.set(name, { value, updatedAtMs: one.updated_at });
      }
      return entries;
    },
  };
}

function toLegacyDocument(sealed: z.infer<typeof legacy>): SecretDocument {
  return {
    keyId: undefined,
    isEmpty: false,
    decrypt(key) {
      const text = openValue(key, undefined, sealed);
      const values = legacyValues.safeParse(text === undefined ? undefined : parseJson(text));
      if (!values.success) return undefined;
      const updatedAtMs = sealed.updated_at;
      return new Map(
        Object.entries(values.data).map(([name, value]) => [name, { value, updatedAtMs }]),
      );
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
