import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import { RUN_ID_PATTERN, type RunId } from '../../core/ids.ts';
import type { ExecutionAnswer } from '../../core/integrations/execution.ts';
import type { ManifestRef } from '../../core/integrations/find-manifest.ts';
import type { ExecuteRequest } from '../../core/integrations/integrations.ts';
import { isToolPack } from '../../core/integrations/manifest.ts';
import { REASON_CODES_VERSION } from '../../core/integrations/reason-codes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { ExecuteAnswer } from './tool-schema.ts';

export type DecodedExecute = Omit<ExecuteRequest, 'userId'> & {
  /** As the body has it; it grants nothing. */
  readonly statedUserId: JsonValue | undefined;
};

const MAX_ID_CHARS = 256;

/** Throws `invalid_input` with all that is wrong with the body. */
export function decodeExecute(body: unknown): DecodedExecute {
  if (!isJsonObject(body)) {
    throw new RuntimeError('invalid_input', 'request body must be a JSON object');
  }
  const problems = [...findShapeProblems(body)];
  if (problems.length > 0) throw invalid(problems);
  const { tool_pack: toolPack, mode, policy } = body;
  if (!isToolPack(toolPack)) {
    throw invalid([`tool_pack is not supported: ${String(toolPack).slice(0, 100)}`]);
  }
  const request = body['request'] as JsonObject;
  const names = decodeNames(body, request);
  const { manifest, manifest_ref: ref } = body;
  return {
    toolPack,
    mode: mode === 'replay' ? 'replay' : 'execute',
    ...names,
    ...(isJsonObject(manifest) ? { manifest } : {}),
    ...(isJsonObject(ref) ? { manifestRef: decodeRef(ref) } : {}),
    request,
    policy: isJsonObject(policy) ? policy : {},
    statedUserId: body['user_id'],
  };
}

function* findShapeProblems(body: JsonObject): Generator<string> {
  const { tool_pack: pack, mode, manifest, manifest_ref: ref, request, policy } = body;
  if (typeof pack !== 'string' || pack.trim() === '') yield 'tool_pack is required';
  const isReplay = mode === 'replay';
  if (isStated(mode) && mode !== 'execute' && !isReplay) yield 'mode must be execute or replay';
  const isOther = (value: JsonValue | undefined) => isStated(value) && !isJsonObject(value);
  const isMissing = !isReplay && !isJsonObject(manifest) && !isJsonObject(ref);
  if (isMissing || isOther(manifest) || isOther(ref)) {
    yield 'manifest or manifest_ref must be an object';
  }
  if (!isJsonObject(request)) yield 'request must be an object';
  if (isOther(policy)) yield 'policy must be an object when provided';
}

/** The top of the body and the request say the same, or one of them nothing. */
function decodeNames(body: JsonObject, request: JsonObject) {
  const problems: string[] = [];
  const text = (name: string, values: readonly (JsonValue | undefined)[]): string | undefined => {
    const [first, ...rest] = values.filter(isStated);
    if (first === undefined) return undefined;
    const isText = typeof first === 'string' && first !== '' && first.length <= MAX_ID_CHARS;
    if (!isText) problems.push(`${name} must be 1 to ${MAX_ID_CHARS} characters`);
    if (rest.some((other) => other !== first)) problems.push(`request.${name} must equal ${name}`);
    return isText ? first : undefined;
  };
  const runId = text('run_id', [body['run_id'], request['run_id']]);
  if (runId !== undefined && !RUN_ID_PATTERN.test(runId)) {
    problems.push('run_id must be 1 to 128 letters, digits, _ or -');
  }
  const threadId = text('thread_id', [body['thread_id'], request['thread_id']]);
  const toolCallId = text('tool_call_id', [request['tool_call_id']]);
  if (problems.length > 0) throw invalid(problems);
  return {
    ...defined({ runId: runId as RunId | undefined, threadId, toolCallId }),
  };
}

function decodeRef(ref: JsonObject): ManifestRef {
  const { tool_id: toolId, integration_id: integrationId, version } = ref;
  const isVersion = typeof version === 'number' && Number.isSafeInteger(version) && version >= 1;
  if (isStated(version) && !isVersion) {
    throw invalid(['manifest_ref.version must be a positive integer']);
  }
  return {
    ...(typeof toolId === 'string' && toolId !== '' ? { toolId } : {}),
    ...(typeof integrationId === 'string' && integrationId !== '' ? { integrationId } : {}),
    ...(isVersion ? { version } : {}),
  };
}

function isStated(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function invalid(problems: readonly string[]): RuntimeError {
  return new RuntimeError('invalid_input', problems.join('; '), { details: { problems } });
}

/** `user_id` in a body says whom the caller believes to act for; the header decides. */
export function assertSameUser(stated: JsonValue | undefined, userId: number): void {
  if (!isStated(stated) || String(stated) === String(userId)) return;
  throw new RuntimeError('forbidden', 'user_id does not match x-oa-user-id');
}

export function encodeExecutionAnswer({ execution, replayed }: ExecutionAnswer): ExecuteAnswer {
  const { receipt, message, isEffectUnknown, providerResult } = execution;
  const { integrationId, provider, operation, state, decision, reasonCode } = receipt;
  const isBlocked = state === 'blocked';
  const outcome = {
    integration_id: integrationId,
    provider,
    operation,
    state,
    decision,
    reason_code: reasonCode,
  };
  return {
    data: {
      ...outcome,
      ...(message === '' ? {} : { message }),
      ...(isEffectUnknown ? { effect: 'unknown' } : {}),
      policy: {
        decision: isBlocked ? 'denied' : 'allowed',
        reason_code: isBlocked ? reasonCode : 'policy_allowed.default',
        reason_codes_version: REASON_CODES_VERSION,
        evaluation_hash: receipt.evaluationHash,
      },
      provider_result: providerResult,
      receipt: {
        receipt_id: receipt.receiptId,
        replay_hash: receipt.replayHash,
        ...outcome,
        reason_codes_version: REASON_CODES_VERSION,
        evaluation_hash: receipt.evaluationHash,
        result_hash: receipt.resultHash,
        manifest: {
          integration_id: integrationId,
          manifest_version: receipt.manifestVersion,
          version: receipt.specVersion,
        },
        request: { operation, input: receipt.input },
      },
      run_id: execution.runId,
      tool_call_id: execution.toolCallId,
      idempotent_replay: replayed,
    },
  };
}
