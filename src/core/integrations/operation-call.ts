import type { Ids, RequestId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Redactor } from '../redact/redact.ts';
import type { ToolOutcome } from '../tools/envelope.ts';
import type { PreparedCall, ToolRunner } from '../tools/tool-runner.ts';
import type { Evaluation } from './evaluate-policy.ts';
import type { Execution } from './execution.ts';
import type { ResolvedManifest } from './find-manifest.ts';
import { INTEGRATION_CALLER } from './integration-caller.ts';
import type { Authority } from './parse-authority.ts';
import type { Operation } from './parse-operation.ts';
import type { ReasonCode } from './reason-codes.ts';
import { createReceipt, type ExecutionState } from './receipt.ts';
import { toReasonCode } from './to-reason-code.ts';

/** A call that is checked and has its names, on its way to a service. */
export interface OperationCall extends ResolvedManifest {
  readonly operation: Operation;
  readonly authority: Authority;
  readonly runId: RunId | undefined;
  readonly toolCallId: string;
  readonly owner: string;
  /** Of what was asked for. */
  readonly digest: string;
}

export interface CallEnding {
  readonly state: ExecutionState;
  readonly reasonCode: ReasonCode;
  readonly message: string;
  readonly providerResult: JsonObject | null;
  readonly isEffectUnknown: boolean;
}

/** As the tool runner wants it, under the request id that it is claimed with. */
export function prepareCall(
  { tools, ids }: { readonly tools: Pick<ToolRunner, 'prepare'>; readonly ids: Ids },
  call: OperationCall,
  requestId: RequestId,
): PreparedCall {
  const { operation, manifest, toolCallId } = call;
  // Tools want a run; outside of runs each call is in one of its own, which is nowhere stored.
  const runId = call.runId ?? ids.run();
  const caller = { runId, agentId: INTEGRATION_CALLER, principal: call.owner };
  const { tool, input } = operation;
  const prepared = tools.prepare(caller, { callId: toolCallId, tool, input });
  const { integrationId, toolPack } = manifest;
  const about = { tool_pack: toolPack, integration_id: integrationId, operation: operation.name };
  return {
    ...prepared,
    envelope: { ...prepared.envelope, requestId },
    payload: { ...prepared.payload, request_id: requestId, ...about, principal: call.owner },
  };
}

/** How the call ended for its caller. */
export function toEnding(
  call: OperationCall,
  {
    outcome,
    isEffectUnknown,
  }: Pick<CallEnding, 'isEffectUnknown'> & {
    readonly outcome: ToolOutcome;
  },
  redactor: Redactor,
): CallEnding {
  if (outcome.ok) {
    const providerResult = redactor.redact(outcome.output, '').value;
    const reasonCode = 'policy_allowed.default';
    return { state: 'succeeded', reasonCode, message: '', providerResult, isEffectUnknown: false };
  }
  const { error } = outcome;
  const message = redactor.redactText(error.message);
  const { status } = error.details ?? {};
  const shown = {
    code: isEffectUnknown ? 'outcome_unknown' : error.code,
    message,
    retryable: error.retryable,
    ...(typeof status === 'number' ? { status } : {}),
    ...(call.operation.isWrite ? { effect: isEffectUnknown ? 'unknown' : 'none' } : {}),
  };
  return {
    state: 'failed',
    reasonCode: toReasonCode(call.manifest.toolPack, error),
    message,
    providerResult: redactor.redact({ error: shown }, '').value,
    isEffectUnknown,
  };
}

export function toExecution(
  call: OperationCall,
  { evaluation, ending }: { readonly evaluation: Evaluation; readonly ending: CallEnding },
  redactor: Pick<Redactor, 'redact'>,
): Execution {
  const { manifest, operation, specVersion } = call;
  const { state, reasonCode, message, providerResult, isEffectUnknown } = ending;
  const receipt = createReceipt({
    toolPack: manifest.toolPack,
    integrationId: manifest.integrationId,
    manifestVersion: manifest.manifestVersion,
    specVersion: specVersion ?? null,
    provider: manifest.provider,
    operation: operation.name,
    input: sanitiseInput(call, redactor),
    state,
    reasonCode,
    evaluationHash: evaluation.evaluationHash,
    result: providerResult,
  });
  const { toolCallId, runId = null } = call;
  return { receipt, providerResult, message, isEffectUnknown, toolCallId, runId };
}

/** As it may be stored and shown. */
export function sanitiseInput(
  { operation }: Pick<OperationCall, 'operation'>,
  redactor: Pick<Redactor, 'redact'>,
): JsonObject {
  return redactor.redact(operation.input, '').value;
}
