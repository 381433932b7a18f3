import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { storable } from '../../operations/fields.ts';

/** Fields that several routes of `/internal/v1` take. Unknown fields are ignored: clients of the contract send more. */
export const MAX_NAME_CHARS = 255;
const MAX_TAIL_MS = 300_000;
const DEFAULT_TAIL_MS = 15_000;
/** Deeper than any sane payload, and far from what would exhaust the stack of those who walk through it. */
const MAX_DEPTH = 64;
const INTEGER = /^-?\d{1,16}$/;

const name = storable(MAX_NAME_CHARS).min(1);

export const threadId = name.meta({
  description: 'The conversation, by the name that the product has for it.',
  examples: ['thread_abc'],
});

export const frameId = name.meta({
  description: 'Known once for each run: the same frame again changes nothing.',
  examples: ['frm_001'],
});

/** The last `seq` that a reader has seen; above the latest is legal, and waits. */
export const streamCursor = integerField({
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
  rule: 'must be an integer >= 0',
});

/** How long a stream stays open without an event. */
export const tailMs = integerField({
  min: 1,
  max: MAX_TAIL_MS,
  rule: `must be a positive integer, at most ${MAX_TAIL_MS}`,
})
  .prefault(DEFAULT_TAIL_MS)
  .meta({ description: 'How long to wait for the next event; counted anew after each.' });

interface IntegerRule {
  readonly min: number;
  readonly max: number;
  readonly rule: string;
}

/** Undefined for `1e3`, ` 5` and `0x10`, and for what a number does not hold exactly. */
export function findInteger(text: string): number | undefined {
  const number = INTEGER.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Query values arrive as text. One rule, in the words of the contract. */
function integerField({ min, max, rule }: IntegerRule) {
  const toInteger = (value: unknown) => {
    const number = typeof value === 'string' ? findInteger(value) : undefined;
    return number !== undefined && number >= min && number <= max ? number : value;
  };
  return z.preprocess(toInteger, z.int({ error: rule }).min(min).max(max));
}

/** Any JSON object that can be stored. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => isShallow(value, MAX_DEPTH), {
    error: `must not be nested more than ${MAX_DEPTH} levels deep`,
  })
  .transform((value) => value as JsonObject);

/** Walks level by level: recursion is what a deep value attacks. */
export function isShallow(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item)) next.push(child);
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}
