import { isJsonObject, type JsonObject, type JsonValue } from '../../../../../src/core/json.ts';
import type { Fault, Usage } from './span.ts';

/** Reads members of a payload: logs of earlier releases hold less, and a reader must not break over it. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function faultOf(value: JsonValue | undefined): Fault | undefined {
  if (!isJsonObject(value)) return undefined;
  return {
    code: textOf(value['code']),
    message: textOf(value['message']),
    isRetryable: value['retryable'] === true,
    details: value['details'],
  };
}

export function usageOf(value: JsonValue | undefined): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  return {
    inputTokens: numberOf(value['input_tokens']) ?? null,
    outputTokens: numberOf(value['output_tokens']) ?? null,
    cachedInputTokens: numberOf(value['cached_input_tokens']),
  };
}

/** Null: not known, which is not nothing. */
export function costIn(payload: JsonObject): number | null {
  return numberOf(payload['cost_usd']) ?? null;
}

const MAX_RUN_IDS = 8;
const MAX_DEPTH = 4;

/** Ids of other runs that a result names. */
export function findRunIds(value: JsonValue | undefined, ownId: string): readonly string[] {
  const found = new Set<string>();
  const look = (one: JsonValue | undefined, depth: number): void => {
    if (depth > MAX_DEPTH || found.size >= MAX_RUN_IDS) return;
    if (typeof one === 'string') {
      if (/^run_[0-9a-z]{26}$/.test(one) && one !== ownId) found.add(one);
    } else if (Array.isArray(one)) {
      for (const part of one.slice(0, MAX_RUN_IDS)) look(part, depth + 1);
    } else if (isJsonObject(one)) {
      for (const part of Object.values(one)) look(part, depth + 1);
    }
  };
  look(value, 0);
  return [...found];
}
