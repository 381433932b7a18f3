import { RuntimeError, toRuntimeError } from '../errors.ts';
import { faultPoint } from '../fault-point.ts';
import type { RequestId } from '../ids.ts';
import { encodeDenial, type FinishedCall, type PreparedCall } from '../tools/tool-runner.ts';
import { parkForApproval } from './ask-approval.ts';
import type { Execution } from './execution.ts';
import { intendEffect, type Sending, settleEffect } from './ledger.ts';
import type { PendingCall } from './run-state.ts';
import type { ToolTurnDeps, Turn } from './tool-turn-deps.ts';

/** Makes calls in order, each with its intent on record before its effect. */
export async function makeCalls(
  deps: ToolTurnDeps,
  execution: Execution,
  calls: readonly PendingCall[],
): Promise<void> {
  const turn = { deps, execution };
  for (const pending of calls) {
    throwIfStopped(execution);
    if (pending.payload === undefined) await makeCall(turn, pending);
    else await resolveInterrupted(turn, pending);
  }
  throwIfStopped(execution);
}

async function makeCall(turn: Turn, pending: PendingCall): Promise<void> {
  const { deps, execution } = turn;
  const owner = { runId: execution.run.id, agentId: execution.agent.id };
  const call = deps.tools.prepare(owner, pending.request);
  execution.record(
    { type: 'tool.call', actor: 'model', payload: call.payload },
    intendEffect(call),
  );
  if (pending.isRedacted) {
    const lost = 'its arguments held a secret, which is not kept across a restart; call it again';
    return settleWith(turn, call, new RuntimeError('cancelled', `not called: ${lost}`));
  }
  await execute(turn, call);
}

/**
 * A call on record without a result: the process died in between, or the run waited for an answer. What the ledger
 * has as never sent is simply made. What was sent is made again only if that is harmless; for anything else nobody
 * knows whether its effect happened, and saying so is the only honest answer.
 */
async function resolveInterrupted(turn: Turn, pending: PendingCall): Promise<void> {
  const call = recallCall(turn, pending);
  const wasSent = await wasEffectSent(turn, call);
  if (!wasSent && pending.isRedacted) {
    const lost = 'its arguments held a secret, which is not kept while a run waits';
    return settleWith(turn, call, new RuntimeError('cancelled', `not called: ${lost}`));
  }
  const isHarmless = call.tool === undefined || call.tool.idempotent || call.tool.sendsKey === true;
  if (!wasSent || (isHarmless && !pending.isRedacted)) {
    return execute(turn, call, wasSent);
  }
  settleWith(turn, call, outcomeUnknown(call), 'earlier');
}

/** Before a run ends early: a call on record gets a result, and that it was interrupted is all there is to say. */
export async function settleOpenCalls(deps: ToolTurnDeps, execution: Execution): Promise<void> {
  const turn = { deps, execution };
  for (const pending of execution.state.pending) {
    if (pending.payload === undefined) continue;
    const call = recallCall(turn, pending);
    const isUnknown = call.tool?.effect === 'write' && (await wasEffectSent(turn, call));
    const message = `${call.envelope.tool} was interrupted and not called again`;
    if (isUnknown) settleWith(turn, call, outcomeUnknown(call), 'earlier');
    else settleWith(turn, call, new RuntimeError('cancelled', message));
  }
}

/** Reading leaves no trace in the ledger: it may have been done, and may be done again. */
async function wasEffectSent({ deps }: Turn, call: PreparedCall): Promise<boolean> {
  const effect = await deps.effects.find(call.envelope.requestId);
  return effect !== undefined && effect.status !== 'intent';
}

/** The call as it is on record, under the request id it was announced with. */
function recallCall({ deps, execution }: Turn, pending: PendingCall): PreparedCall {
  const owner = { runId: execution.run.id, agentId: execution.agent.id };
  const prepared = deps.tools.prepare(owner, pending.request);
  const requestId = String(
    pending.payload?.['request_id'] ?? prepared.envelope.requestId,
  ) as RequestId;
  return { ...prepared, envelope: { ...prepared.envelope, requestId } };
}

async function execute(turn: Turn, call: PreparedCall, wasSent = false): Promise<void> {
  const { deps, execution } = turn;
  const { signal, state, journal } = execution;
  const { requestId } = call.envelope;
  let sending: Sending = wasSent ? 'earlier' : 'never';
  // Reading leaves nothing behind, so its intent need not be durable first; writing waits for the disk.
  const onSend = async () => {
    if (sending !== 'never') return;
    sending = 'now';
    journal.noteEffect({ step: 'send', id: requestId });
    await journal.barrier();
    faultPoint('tool.after_intent');
  };
  await journal.commit();
  const isWrite = call.tool?.effect === 'write';
  const finished = await deps.tools.execute(call, {
    signal,
    exposure: state.exposure,
    ...(isWrite ? { onSend } : {}),
  });
  faultPoint('tool.after_effect');
  // Given up without an end: what became of the call is for whoever takes the run over to find out.
  if (!finished.outcome.ok && isLeftOpen(signal)) throw signal.reason;
  const { outcome } = finished;
  if (!outcome.ok && outcome.error.code === 'approval_required') {
    const refusal = await parkForApproval(turn, call, outcome.error);
    return settleWith(turn, call, refusal, sending);
  }
  recordResult(execution, call, { ...finished, sending });
}

function settleWith(
  { deps, execution }: Turn,
  call: PreparedCall,
  fault: RuntimeError,
  sending: Sending = 'never',
): void {
  recordResult(execution, call, { ...deps.tools.settle(call, fault), sending });
}

function recordResult(
  execution: Execution,
  call: PreparedCall,
  finished: FinishedCall & { readonly sending: Sending },
): void {
  const denial = encodeDenial(call, finished);
  if (denial) execution.record({ type: 'policy.decision', payload: denial });
  execution.record(
    { type: 'tool.result', payload: finished.payload },
    settleEffect(call, finished.outcome, finished.sending),
  );
}

function outcomeUnknown(call: PreparedCall): RuntimeError {
  const message = `${call.envelope.tool} was interrupted; whether it took effect is unknown`;
  return new RuntimeError('outcome_unknown', message);
}

function throwIfStopped(execution: Execution): void {
  if (execution.signal.aborted) throw execution.signal.reason;
}

/** Whether the run stops here and goes on elsewhere, instead of ending. */
function isLeftOpen(signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  const { code } = toRuntimeError(signal.reason);
  return code !== 'cancelled' && code !== 'timeout';
}
