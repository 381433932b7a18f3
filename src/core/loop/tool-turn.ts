import type { Effect } from '../effects/effect.ts';
import { RuntimeError } from '../errors.ts';
import { faultPoint } from '../fault-point.ts';
import type { RequestId } from '../ids.ts';
import { toToolMessage } from '../sessions/tool-record.ts';
import {
  type CallCircumstances,
  encodeDenial,
  type FinishedCall,
  type PreparedCall,
} from '../tools/tool-runner.ts';
import { parkForApproval } from './ask-approval.ts';
import { announceClientCall, isClientCall, settleClientCall } from './client-calls.ts';
import { type Execution, isLeftOpen, toCaller } from './execution.ts';
import { intendEffect, type Sending, settleEffect } from './ledger.ts';
import { isLost, type PendingCall, toMake } from './run-state.ts';
import type { SettleDeps, Settled, Settling, ToolTurnDeps, Turn } from './tool-turn-deps.ts';

/** Makes calls in order, each with its intent on record before its effect. */
export async function makeCalls(
  deps: ToolTurnDeps,
  execution: Execution,
  calls: readonly PendingCall[],
): Promise<void> {
  const turn = { deps, execution };
  let next = 0;
  while (next < calls.length) {
    throwIfStopped(execution);
    const isLast = next === calls.length - 1;
    const reads = isLast ? [] : takeReads(turn, calls.slice(next, next + MAX_PARALLEL_READS));
    const pending = calls[next];
    if (reads.length > 1) await makeReads(turn, reads);
    else if (pending) await settleNext(turn, pending);
    next += Math.max(1, reads.length);
  }
  throwIfStopped(execution);
}

async function settleNext(turn: Turn, pending: PendingCall): Promise<void> {
  if (isClientCall(turn.execution.state, pending)) announceClientCall(turn, pending);
  else if (pending.payload === undefined) await makeCall(turn, pending);
  else await resolveInterrupted(turn, pending);
}

/** Calls of one answer that only read run at the same time, so many of them. A write waits for those before it. */
const MAX_PARALLEL_READS = 4;

/** The new calls from the first on that leave nothing behind, whatever order they are made in. */
function takeReads(
  { deps, execution }: Turn,
  calls: readonly PendingCall[],
): readonly PendingCall[] {
  const end = calls.findIndex(
    (pending) =>
      pending.payload !== undefined ||
      pending.isRedacted ||
      isClientCall(execution.state, pending) ||
      deps.tools.prepare(toCaller(execution), pending.request).tool?.effect !== 'read',
  );
  return end === -1 ? calls : calls.slice(0, end);
}

/** On record in the order of the calls, as if they had been made one after the other: all calls, then all results. */
async function makeReads(turn: Turn, reads: readonly PendingCall[]): Promise<void> {
  const { deps, execution } = turn;
  const begun = reads.map((pending) => {
    const call = deps.tools.prepare(toCaller(execution), pending.request);
    execution.record({ type: 'tool.call', actor: 'model', payload: call.payload });
    // As each would have found it, had those before it been made alone.
    return { call, exposure: execution.state.exposure };
  });
  await execution.journal.commitSoon();
  const { signal } = execution;
  const isFork = isForked(execution);
  const running = begun.map(({ call, exposure }) =>
    executeGuarded(turn, call, { signal, exposure, isFork }),
  );
  // Whatever stops the run, none of them may outlive its turn unseen.
  const ended = await Promise.allSettled(running);
  for (const [index, { call }] of begun.entries()) {
    const one = ended[index];
    if (one?.status === 'rejected') throw one.reason;
    if (one) await settleFinished(turn, call, { ...one.value, sending: 'never' });
  }
}

async function makeCall(turn: Turn, pending: PendingCall): Promise<void> {
  const { deps, execution } = turn;
  const call = deps.tools.prepare(toCaller(execution), toMake(pending));
  execution.record(
    { type: 'tool.call', actor: 'model', payload: call.payload },
    intendEffect(call),
  );
  if (isLost(pending)) {
    const lost = 'its arguments held a secret, which is not kept across a restart; call it again';
    return settleWith(turn, call, new RuntimeError('cancelled', `not called: ${lost}`));
  }
  await execute(turn, call);
}

/**
 * A call on record without a result: the process died in between, or the run waited for an answer. What the ledger
 * has as never sent is simply made. What was sent is answered from the dedupe record, and made again only if that is
 * harmless; for anything else nobody knows whether its effect happened, and saying so is the only honest answer.
 */
async function resolveInterrupted(turn: Turn, pending: PendingCall): Promise<void> {
  const call = recallCall(turn, pending);
  const sent = await findSent(turn, call);
  if (!sent && isLost(pending)) {
    const lost = 'its arguments held a secret, which is not kept while a run waits';
    return settleWith(turn, call, new RuntimeError('cancelled', `not called: ${lost}`));
  }
  if (!sent) return execute(turn, call);
  const answer = await findAnswer(turn, pending, { call, sent });
  if (answer) return recordResult(turn, call, { ...answer, sending: 'now' });
  if (isHarmless(call, sent) && !isLost(pending)) return execute(turn, call, true);
  settleWith(turn, call, outcomeUnknown(call));
}

/** By the key it was sent with: a service that is said to honour keys only since then has never seen one. */
function isHarmless({ tool }: PreparedCall, sent: Effect): boolean {
  if (tool === undefined || tool.idempotent) return true;
  return tool.sendsKey === true && sent.key !== undefined;
}

/** What is on record about a call that was sent. Arguments that are not kept lead to no record. */
async function findAnswer(
  { deps }: Settling,
  pending: PendingCall,
  { call, sent }: { readonly call: PreparedCall; readonly sent: Effect },
): Promise<FinishedCall | undefined> {
  return isLost(pending) ? undefined : deps.tools.recall(call, sent.updatedAtMs);
}

/** Before a run ends early: a call on record gets a result, and that it was interrupted is all there is to say. */
export async function settleOpenCalls(deps: SettleDeps, execution: Settled): Promise<void> {
  const turn = { deps, execution };
  for (const pending of execution.state.pending) {
    if (pending.payload === undefined) continue;
    if (isClientCall(execution.state, pending)) {
      settleClientCall(turn, pending);
      continue;
    }
    const call = recallCall(turn, pending);
    const sent = await findSent(turn, call);
    const answer = sent && (await findAnswer(turn, pending, { call, sent }));
    const message = `${call.envelope.tool} was interrupted and not called again`;
    const fault = sent ? outcomeUnknown(call) : new RuntimeError('cancelled', message);
    if (answer) recordResult(turn, call, { ...answer, sending: 'now' });
    else settleWith(turn, call, fault);
  }
}

/** Reading leaves no trace in the ledger: it may have been done, and may be done again. */
async function findSent({ deps }: Settling, call: PreparedCall): Promise<Effect | undefined> {
  const effect = await deps.effects.find(call.envelope.requestId);
  return effect?.status === 'intent' ? undefined : effect;
}

/** The call as it is on record, under the request id it was announced with. */
function recallCall({ deps, execution }: Settling, pending: PendingCall): PreparedCall {
  const prepared = deps.tools.prepare(toCaller(execution), toMake(pending));
  const requestId = String(
    pending.payload?.['request_id'] ?? prepared.envelope.requestId,
  ) as RequestId;
  return { ...prepared, envelope: { ...prepared.envelope, requestId } };
}

async function execute(turn: Turn, call: PreparedCall, wasSent = false): Promise<void> {
  const { execution } = turn;
  const { signal, state, journal } = execution;
  const { requestId } = call.envelope;
  let sending: Sending = wasSent ? 'earlier' : 'never';
  let sent = wasSent ? Promise.resolve() : undefined;
  const send = async () => {
    sending = 'now';
    journal.noteEffect({ step: 'send', id: requestId });
    await journal.barrier();
    faultPoint('tool.after_intent');
  };
  // Reading leaves nothing behind, so its intent need not be durable first; writing waits for the disk, and so does
  // each further try: the first may have been broken off while it waited.
  const onSend = () => {
    sent ??= send();
    return sent;
  };
  await journal.commitSoon();
  const isWrite = call.tool?.effect === 'write';
  const finished = await executeGuarded(turn, call, {
    signal,
    exposure: state.exposure,
    isFork: isForked(execution),
    ...(isWrite ? { onSend } : {}),
  });
  await settleFinished(turn, call, { ...finished, sending });
}

async function executeGuarded(
  { deps: { tools }, execution: { guard } }: Turn,
  call: PreparedCall,
  circumstances: CallCircumstances,
): Promise<FinishedCall> {
  await guard?.callTool();
  const finished = await tools.execute(call, circumstances);
  await guard?.calledTool(finished);
  return finished;
}

async function settleFinished(
  turn: Turn,
  call: PreparedCall,
  finished: FinishedCall & { readonly sending: Sending },
): Promise<void> {
  const { deps, execution } = turn;
  const { outcome, sending } = finished;
  faultPoint('tool.after_effect');
  // Given up without an end: what became of the call is for whoever takes the run over to find out.
  if (!outcome.ok && isLeftOpen(execution.signal)) throw execution.signal.reason;
  if (!outcome.ok && outcome.error.code === 'approval_required') {
    const refusal = await parkForApproval(turn, call, outcome.error);
    return recordResult(turn, call, { ...deps.tools.settle(call, refusal), sending });
  }
  recordResult(turn, call, finished);
}

function settleWith(turn: Settling, call: PreparedCall, fault: RuntimeError): void {
  const sending = fault.code === 'outcome_unknown' ? 'earlier' : 'never';
  recordResult(turn, call, { ...turn.deps.tools.settle(call, fault), sending });
}

function recordResult(
  { deps, execution }: Settling,
  call: PreparedCall,
  finished: FinishedCall & { readonly sending: Sending },
): void {
  const denial = encodeDenial(call, finished);
  if (denial) execution.record({ type: 'policy.decision', payload: denial });
  const hasSession = execution.run.sessionId !== undefined;
  execution.record(
    {
      type: 'tool.result',
      payload: finished.payload,
      ...(hasSession ? { message: toToolMessage(deps.redactor, call, finished) } : {}),
    },
    settleEffect(call, finished.outcome, finished.sending),
  );
}

function outcomeUnknown(call: PreparedCall): RuntimeError {
  const message = `${call.envelope.tool} was interrupted; whether it took effect is unknown`;
  return new RuntimeError('outcome_unknown', message);
}

function isForked({ run }: Execution): boolean {
  return run.forkedFrom !== undefined;
}

function throwIfStopped(execution: Execution): void {
  if (execution.signal.aborted) throw execution.signal.reason;
}
