import { defined } from '../core/defined.ts';
import { RuntimeError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Usage } from '../core/loop/model.ts';
import { countOf, firstText, listOf, objectOf, textOf } from './wire.ts';

/** How an agent's run there ended well. */
export interface RemoteEnd {
  /** Undefined when the gateway only says that it is done. */
  readonly text: string | undefined;
  readonly usage: Usage;
}

export const UNKNOWN_USAGE: Usage = { inputTokens: null, outputTokens: null };

const MAX_REASON_CHARS = 300;

/** Of the last answer to `agent`, or of `agent.wait`. Throws what the run here fails with. */
export function decodeEnd(payload: JsonObject, usage?: Usage): RemoteEnd {
  if (payload['status'] !== 'ok') throw toFault(payload, usage);
  const result = objectOf(payload['result']);
  const said = listOf(result['payloads'])
    .filter(isJsonObject)
    .flatMap((part) => textOf(part['text']) ?? []);
  const text =
    said.length > 0 ? said.join('\n\n') : textOf(objectOf(payload['terminalReply'])['text']);
  return { text, usage: usage ?? decodeUsage(findUsage(result)) };
}

function findUsage(result: JsonObject): JsonObject {
  return objectOf(objectOf(objectOf(result['meta'])['agentMeta'])['usage']);
}

/** What a gateway counted; cached input is part of what went in. */
export function decodeUsage(usage: JsonObject): Usage {
  const input = countOf(usage['input']);
  const output = countOf(usage['output']);
  if (input === undefined || output === undefined) return UNKNOWN_USAGE;
  const cached = countOf(usage['cacheRead']) ?? 0;
  const costUsd = countOf(objectOf(usage['cost'])['total']);
  return {
    inputTokens: Math.ceil(input + cached + (countOf(usage['cacheWrite']) ?? 0)),
    outputTokens: Math.ceil(output),
    ...(cached > 0 ? { cachedInputTokens: Math.ceil(cached) } : {}),
    ...defined({ costUsd }),
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  const cached = (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0);
  const isPriced = a.costUsd !== undefined && b.costUsd !== undefined;
  return {
    inputTokens: addKnown(a.inputTokens, b.inputTokens),
    outputTokens: addKnown(a.outputTokens, b.outputTokens),
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    ...(isPriced ? { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0) } : {}),
  };
}

function addKnown(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** It has acted, or may have: asking it again could do that twice. */
function toFault(payload: JsonObject, usage: Usage | undefined): RuntimeError {
  const reason =
    firstText(payload, ['error', 'errorMessage', 'summary', 'stopReason']) ?? 'it gave no reason';
  const status = textOf(payload['status']) ?? 'unknown';
  return new RuntimeError(
    'provider_failed',
    `the agent's run in OpenClaw ended with ${status}: ${reason.slice(0, MAX_REASON_CHARS)}`,
    { retryable: false, ...(usage ? { details: { usage } } : {}) },
  );
}
