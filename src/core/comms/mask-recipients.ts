import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

const MASKED_RECIPIENT = '[REDACTED_RECIPIENT]';

// The bounds are those of an address; without them a long text without an @ would be read over and over.
const ADDRESS = /[\p{L}\p{M}\p{N}._%+'-]{1,64}@[\p{L}\p{M}\p{N}.-]{1,253}/gu;

/** What lies deeper was replaced by redaction. */
const MAX_DEPTH = 110;

export type MaskText = (text: string) => string;

/** Takes addresses, and the recipient whatever it looks like, out of texts that a provider wrote. */
export function createMask(recipient: string | undefined): MaskText {
  const named = recipient === undefined || recipient === '' ? undefined : toPattern(recipient);
  return (text) => {
    const masked = named === undefined ? text : text.replace(named, MASKED_RECIPIENT);
    return masked.includes('@') ? masked.replace(ADDRESS, MASKED_RECIPIENT) : masked;
  };
}

export function maskObject(object: JsonObject, mask: MaskText): JsonObject {
  return maskMembers(object, mask, 0);
}

function maskMembers(object: JsonObject, mask: MaskText, depth: number): JsonObject {
  const members = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(object)) {
    let name = mask(key);
    for (let copies = 2; members.has(name); copies += 1) name = `${mask(key)} ${copies}`;
    members.set(name, maskValue(value, mask, depth + 1));
  }
  // `fromEntries` defines members instead of assigning them, so `__proto__` stays a plain member.
  return Object.fromEntries(members);
}

function maskValue(value: JsonValue, mask: MaskText, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return mask(value);
  if (isJsonObject(value)) return maskMembers(value, mask, depth);
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskValue(item, mask, depth + 1));
  return value;
}

function toPattern(recipient: string): RegExp {
  return new RegExp(recipient.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}
