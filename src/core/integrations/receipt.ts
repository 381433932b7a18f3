import type { JsonObject } from '../json.ts';
import { digestPayload } from '../reliability/idempotency/key-digests.ts';
import type { ToolPack } from './manifest.ts';
import type { ReasonCode } from './reason-codes.ts';

/** `blocked` was not made, `failed` was tried. */
export type ExecutionState = 'succeeded' | 'blocked' | 'failed';

/** What became of a call, in a form that anybody who has its parts can check. */
export interface Receipt {
  readonly receiptId: string;
  readonly replayHash: string;
  readonly integrationId: string;
  readonly provider: string;
  readonly operation: string;
  readonly state: ExecutionState;
  readonly decision: 'allowed' | 'denied';
  readonly reasonCode: ReasonCode;
  readonly evaluationHash: string;
  readonly resultHash: string;
  readonly manifestVersion: string;
  /** Of the tool spec that the manifest came from; null when it came with the call. */
  readonly specVersion: number | null;
  /** Without secrets: it was redacted before. */
  readonly input: JsonObject;
}

export interface ReceiptFacts
  extends Omit<Receipt, 'receiptId' | 'replayHash' | 'resultHash' | 'decision'> {
  readonly toolPack: ToolPack;
  readonly result: JsonObject | null;
}

const PREFIXES: Readonly<Record<ToolPack, string>> = {
  'coding.v1': 'coding_',
  'comms.v1': 'comms_',
};
const ID_DIGITS = 24;

/** Equal for equal calls with equal ends: no time, no id of ours is part of it. */
export function createReceipt(facts: ReceiptFacts): Receipt {
  const { toolPack, result, ...shown } = facts;
  const { integrationId, operation, state, reasonCode, evaluationHash } = facts;
  const decision = state === 'succeeded' ? 'allowed' : 'denied';
  const resultHash = digestPayload(result);
  const replayHash = digestPayload({
    manifest: {
      integration_id: integrationId,
      manifest_version: facts.manifestVersion,
      version: facts.specVersion,
    },
    request: { operation, input: facts.input },
    decision,
    reason_code: reasonCode,
    evaluation_hash: evaluationHash,
    result_hash: resultHash,
  });
  return {
    ...shown,
    receiptId: `${PREFIXES[toolPack]}${replayHash.slice(0, ID_DIGITS)}`,
    replayHash,
    decision,
    resultHash,
  };
}
