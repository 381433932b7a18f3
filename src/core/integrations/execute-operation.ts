import type { CommsStore } from '../comms/comms-store.ts';
import type { EffectStore, EffectWrite } from '../effects/effect.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import { faultPoint } from '../fault-point.ts';
import type { Ids } from '../ids.ts';
import { intendEffect, type Sending, settleEffect } from '../loop/ledger.ts';
import type { Redactor } from '../redact/redact.ts';
import type { ToolOutcome } from '../tools/envelope.ts';
import type { FinishedCall, PreparedCall, ToolRunner } from '../tools/tool-runner.ts';
import { type CallRecord, type CallRecordDeps, createCallRecord } from './call-record.ts';
import type { ClaimDeps } from './claim-call.ts';
import {
  allowEarlier,
  denyLater,
  type Evaluation,
  evaluatePolicy,
  type PolicyFacts,
} from './evaluate-policy.ts';
import { type Execution, encodeForResult, findExecution } from './execution.ts';
import type { Keyring } from './keyring.ts';
import {
  type CallEnding,
  type OperationCall,
  prepareCall,
  sanitiseInput,
  toEnding,
  toExecution,
} from './operation-call.ts';
import type { OpenResult } from './receipt-store.ts';
import { type RunWatch, type WatchDeps, watchRun } from './watch-run.ts';

export interface ExecuteDeps extends ClaimDeps, Omit<CallRecordDeps, 'runs'>, WatchDeps {
  readonly runs: CallRecordDeps['runs'] & WatchDeps['runs'];
  readonly tools: ToolRunner;
  readonly effects: Pick<EffectStore, 'find' | 'resolve'>;
  readonly comms: Pick<CommsStore, 'isSuppressed'>;
  readonly keyring: Keyring;
  readonly redactor: Redactor;
  readonly ids: Ids;
}

export interface Executed {
  readonly execution: Execution;
  /** False when nothing was sent to the service: the same call may be tried again. */
  readonly isFinal: boolean;
}

type Opened = Extract<OpenResult, { readonly outcome: 'opened' }>;

interface Making {
  readonly deps: ExecuteDeps;
  readonly call: OperationCall;
  readonly prepared: PreparedCall;
  readonly record: CallRecord;
  readonly facts: PolicyFacts;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** How long a service that honours keys is trusted to remember one; Resend says a day. */
const KEY_MEMORY_MS = 23 * 60 * 60_000;

/** Judges a claimed call and makes it, each step on record before the next. */
export async function executeOperation(
  deps: ExecuteDeps,
  call: OperationCall,
  opened: Opened,
): Promise<Executed> {
  const watch: RunWatch = await watchRun(deps, call.runId);
  try {
    const record = createCallRecord(deps, call.runId);
    const prepared = prepareCall(deps, call, opened.requestId);
    const facts = await gatherFacts(deps, call, opened);
    const making: Making = { deps, call, prepared, record, facts, signal: watch.signal };
    return opened.isResumed ? await resume(making) : await judge(making, false);
  } finally {
    watch.close();
  }
}

async function gatherFacts(
  { comms, keyring }: ExecuteDeps,
  { manifest, operation, authority }: OperationCall,
  { recentCalls }: Opened,
): Promise<PolicyFacts> {
  const [key, ...suppressed] = await Promise.all([
    keyring.check(manifest.keyId, manifest.provider),
    ...operation.recipients.map((recipient) => comms.isSuppressed(recipient)),
  ]);
  const isSuppressed = suppressed.includes(true);
  return { manifest, operation, authority, recentCalls, isSuppressed, key };
}

/**
 * A process claimed the call and died. What it recorded counts; what it sent is sent again only if that is harmless,
 * and else nobody knows whether it happened.
 */
async function resume(making: Making): Promise<Executed> {
  const { deps, call, prepared, record, facts } = making;
  const { hasCall, result } = await record.find(prepared.envelope.requestId);
  const recorded = result && findExecution(result, sanitiseInput(call, deps.redactor));
  if (recorded) return { execution: recorded, isFinal: recorded.receipt.state !== 'blocked' };
  const effect = await deps.effects.find(prepared.envelope.requestId);
  if (effect === undefined || effect.status === 'intent') return judge(making, hasCall);
  const evaluation = allowEarlier(facts);
  const answer = await deps.tools.recall(prepared, effect.updatedAtMs);
  if (answer) return conclude(making, evaluation, { ...answer, sending: 'now' });
  const isRemembered = deps.clock.nowMs() - effect.updatedAtMs < KEY_MEMORY_MS;
  const isKeyed = prepared.tool?.sendsKey === true && effect.key !== undefined;
  if (effect.status === 'sent' && isKeyed && isRemembered && !making.signal.aborted) {
    return send(making, evaluation, 'earlier');
  }
  const message = `${prepared.envelope.tool} was interrupted; whether it took effect is unknown`;
  const lost = deps.tools.settle(prepared, new RuntimeError('outcome_unknown', message));
  return conclude(making, evaluation, { ...lost, sending: 'earlier' });
}

async function judge(making: Making, hasCall: boolean): Promise<Executed> {
  const { deps, call, prepared, record, facts, signal } = making;
  if (signal.aborted) throw new RuntimeError('conflict', toRuntimeError(signal.reason).message);
  const evaluation = evaluatePolicy(facts);
  const begun = [
    ...(hasCall ? [] : [{ type: 'tool.call' as const, payload: prepared.payload }]),
    decisionOf(prepared, evaluation),
  ];
  if (evaluation.decision === 'allowed') {
    await record.begin(begun, hasCall ? undefined : intendEffect(prepared));
    return send(making, evaluation, 'never');
  }
  const execution = toExecution(call, { evaluation, ending: toDenial(evaluation) }, deps.redactor);
  const refusal = new RuntimeError('policy_denied', evaluation.message, {
    details: { reason: evaluation.reasonCode },
  });
  const finished = deps.tools.settle(prepared, refusal);
  const settlement = hasCall ? settleEffect(prepared, finished.outcome, 'never') : undefined;
  await record.begin([...begun, resultOf(finished, execution)], settlement);
  return { execution, isFinal: false };
}

async function send(
  making: Making,
  evaluation: Evaluation,
  before: Exclude<Sending, 'now'>,
): Promise<Executed> {
  const { deps, call, prepared, record, signal } = making;
  const { runId, callId, requestId } = prepared.envelope;
  let sending: Sending = before;
  let sent = before === 'earlier' ? Promise.resolve() : undefined;
  const note = async () => {
    sending = 'now';
    await record.send(requestId);
    faultPoint('tool.after_intent');
  };
  // Each further try waits for the first one's note.
  const onSend = () => {
    sent ??= note();
    return sent;
  };
  // Who asked may hang up: the call is on record by now, and its end is kept for whoever asks again.
  const finished = await deps.keyring.lend({ runId, callId }, call.manifest.keyId, () =>
    deps.tools.execute(prepared, {
      signal,
      exposure: [],
      ...(call.operation.isWrite ? { onSend } : {}),
    }),
  );
  faultPoint('tool.after_effect');
  return conclude(making, evaluation, { ...finished, sending });
}

async function conclude(
  { deps, call, prepared, record, facts }: Making,
  evaluation: Evaluation,
  finished: FinishedCall & { readonly sending: Sending },
): Promise<Executed> {
  const { outcome, sending } = finished;
  const settlement = settleEffect(prepared, outcome, sending);
  const isEffectUnknown = settlement?.step === 'settle' && settlement.status === 'unknown';
  const refusal = isEffectUnknown ? undefined : findRefusal(outcome);
  const judged = refusal === undefined ? evaluation : denyLater(facts, refusal);
  const ended = () => toEnding(call, { outcome, isEffectUnknown }, deps.redactor);
  const ending = refusal === undefined ? ended() : toDenial(judged);
  const execution = toExecution(call, { evaluation: judged, ending }, deps.redactor);
  const drafts = [
    ...(refusal === undefined ? [] : [decisionOf(prepared, judged)]),
    resultOf(finished, execution),
  ];
  const isRecorded = await record.end(drafts, settlement);
  if (!isRecorded) await settleLate(deps, settlement);
  const isOpen = !outcome.ok && outcome.error.code === 'circuit_open';
  return { execution, isFinal: refusal === undefined && !isOpen };
}

/** The end of the run has settled what was under way as unknown. Whoever knows better by now says so. */
async function settleLate(
  { effects }: ExecuteDeps,
  settlement: EffectWrite | undefined,
): Promise<void> {
  if (settlement?.step !== 'settle' || settlement.status === 'unknown') return;
  const { id, status } = settlement;
  await effects.resolve(id, { status, by: 'system', note: 'it ended after its run' });
}

/** What the runtime's own policy said against the call, if that is why it was not made. */
function findRefusal(outcome: ToolOutcome): string | undefined {
  if (outcome.ok) return undefined;
  const { code, message, details } = outcome.error;
  if (code !== 'policy_denied' && code !== 'approval_required') return undefined;
  const { reason } = details ?? {};
  const isGuard = typeof reason === 'string' && reason.startsWith('ssrf_block.');
  return isGuard ? undefined : message;
}

function toDenial({ reasonCode, message }: Evaluation): CallEnding {
  return { state: 'blocked', reasonCode, message, providerResult: null, isEffectUnknown: false };
}

function decisionOf({ envelope }: PreparedCall, evaluation: Evaluation) {
  const { decision, reasonCode, evaluationHash, message } = evaluation;
  return {
    type: 'policy.decision' as const,
    payload: {
      decision: decision === 'allowed' ? 'allow' : 'deny',
      tool: envelope.tool,
      tool_call_id: envelope.callId,
      request_id: envelope.requestId,
      message,
      details: { reason: reasonCode, evaluation_hash: evaluationHash },
    },
  };
}

function resultOf({ payload }: FinishedCall, execution: Execution) {
  const type = 'tool.result' as const;
  return { type, payload: { ...payload, execution: encodeForResult(execution) } };
}
