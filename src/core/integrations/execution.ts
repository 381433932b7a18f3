import type { RunId } from '../ids.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Receipt } from './receipt.ts';

/** How a call of an integration ended. Plain JSON: it is stored as it is. */
export interface Execution {
  readonly receipt: Receipt;
  /** What the service answered, or `{error}`; null when it was not asked. */
  readonly providerResult: JsonObject | null;
  /** Why it did not succeed, for people. */
  readonly message: string;
  /** A write that failed and may have happened all the same. */
  readonly isEffectUnknown: boolean;
  readonly toolCallId: string;
  readonly runId: RunId | null;
}

export interface ExecutionAnswer {
  readonly execution: Execution;
  /** It was made earlier, under the same id. */
  readonly replayed: boolean;
}

export function encodeExecution(execution: Execution): JsonObject {
  return execution as unknown as JsonObject;
}

/** Ours to trust: nobody but `encodeExecution` has written it. */
export function decodeExecution(stored: JsonObject): Execution {
  return stored as unknown as Execution;
}

/** As part of its `tool.result`, which has the output of a success already, and whose `tool.call` has the input. */
export function encodeForResult(execution: Execution): JsonObject {
  const isThere = execution.receipt.state === 'succeeded';
  return encodeExecution({
    ...execution,
    receipt: { ...execution.receipt, input: {} },
    providerResult: isThere ? null : execution.providerResult,
  });
}

/** Undefined for a result that another program wrote. */
export function findExecution(result: JsonObject, input: JsonObject): Execution | undefined {
  const { execution: stored, output = null } = result;
  if (!isJsonObject(stored)) return undefined;
  const kept = decodeExecution(stored);
  const execution = { ...kept, receipt: { ...kept.receipt, input } };
  if (execution.receipt.state !== 'succeeded') return execution;
  return { ...execution, providerResult: isJsonObject(output) ? output : null };
}
