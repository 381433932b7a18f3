import type { ModelRequest } from '../loop/model.ts';

/** What a provider puts around a message, a tool and the whole. */
const TOKENS_PER_PART = 64;
const TOKENS_PER_REQUEST = 256;

/** No tokenizer makes more tokens of a text than it has bytes, so this is never too low, and three times too high as a rule. */
export function boundTokensIn({ system, messages, tools }: ModelRequest): number {
  const bytes = new TextEncoder().encode(system + JSON.stringify([messages, tools])).byteLength;
  return bytes + (messages.length + tools.length) * TOKENS_PER_PART + TOKENS_PER_REQUEST;
}
