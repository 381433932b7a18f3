import { defined } from '../../defined.ts';
import type { RuntimeError } from '../../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Usage } from '../model.ts';

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 };
const UNKNOWN: Usage = { inputTokens: null, outputTokens: null };

/**
 * What an attempt cost that brought no answer. A provider that refused it or was never reached has taken nothing; one that
 * had begun has, and says how much only sometimes.
 */
export function spentBy({ code, details = {} }: RuntimeError): Usage {
  const { usage, status, unreachable } = details;
  if (isJsonObject(usage))
    return { inputTokens: known(usage['inputTokens']), outputTokens: known(usage['outputTokens']) };
  const isRefused = typeof status === 'number' && status >= 400;
  return isRefused || unreachable === true || code === 'provider_misconfigured' ? NOTHING : UNKNOWN;
}

export function isNothing({ inputTokens, outputTokens }: Usage): boolean {
  return inputTokens === 0 && outputTokens === 0;
}

export function encodeUsage({ inputTokens, outputTokens, cachedInputTokens }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...defined({ cached_input_tokens: cachedInputTokens }),
  };
}

/** A sum with a hole in it is unknown. What is absent was never there to be counted. */
export function addTokens(sum: number | null, more: JsonValue | undefined): number | null {
  if (sum === null || more === null) return null;
  return typeof more === 'number' && more > 0 ? sum + more : sum;
}

function known(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
