import { RuntimeError, toRuntimeError } from '../errors.ts';
import { faultPoint } from '../fault-point.ts';
import type { RequestId } from '../ids.ts';
import { encodeDenial, type PreparedCall, type ToolRunner } from '../tools/tool-runner.ts';
import type { Execution } from './execution.ts';
import type { PendingCall } from './run-state.ts';

/** Makes calls in order, each with its intent on record before its effect. */
export async function makeCalls(
  tools: ToolRunner,
  execution: Execution,
  calls: readonly PendingCall[],
): Promise<void> {
  for (const pending of calls) {
    throwIfStopped(execution);
    if (pending.payload === undefined) await makeCall(tools, execution, pending);
    else await resolveInterrupted(tools, execution, pending);
  }
  throwIfStopped(execution);
}

async function makeCall(
  tools: ToolRunner,
  execution: Execution,
  pending: PendingCall,
): Promise<void> {
  const call = tools.prepare(
    { runId: execution.run.id, agentId: execution.agent.id },
    pending.request,
  );
  execution.record({ type: 'tool.call', actor: 'model', payload: call.payload });
  if (pending.isRedacted) {
    const lost = 'its arguments held a secret, which is not kept across a restart; call it again';
    return recordResult(
      execution,
      call,
      tools.settle(call, new RuntimeError('cancelled', `not called: ${lost}`)),
    );
  }
  await execute(tools, execution, call);
}

/**
 * A call on record without a result: the process died in between. A tool that may be run again is; for any other
 * nobody knows whether its effect happened, and saying so is the only honest answer.
 */
async function resolveInterrupted(
  tools: ToolRunner,
  execution: Execution,
  pending: PendingCall,
): Promise<void> {
  const call = recallCall(tools, execution, pending);
  const canRunAgain = call.tool === undefined || (call.tool.idempotent && !pending.isRedacted);
  if (canRunAgain) return execute(tools, execution, call);
  recordResult(execution, call, tools.settle(call, outcomeUnknown(call)));
}

/** Before a run ends early: a call on record gets a result, and that it was interrupted is all there is to say. */
export function settleOpenCalls(tools: ToolRunner, execution: Execution): void {
  for (const pending of execution.state.pending) {
    if (pending.payload === undefined) continue;
    const call = recallCall(tools, execution, pending);
    const { tool } = call.envelope;
    const fault =
      call.tool?.effect === 'write'
        ? outcomeUnknown(call)
        : new RuntimeError('cancelled', `${tool} was interrupted and not called again`);
    recordResult(execution, call, tools.settle(call, fault));
  }
}

/** The call as it is on record, under the request id it was announced with. */
function recallCall(tools: ToolRunner, execution: Execution, pending: PendingCall): PreparedCall {
  const owner = { runId: execution.run.id, agentId: execution.agent.id };
  const prepared = tools.prepare(owner, pending.request);
  const requestId = String(
    pending.payload?.['request_id'] ?? prepared.envelope.requestId,
  ) as RequestId;
  return { ...prepared, envelope: { ...prepared.envelope, requestId } };
}

function outcomeUnknown(call: PreparedCall): RuntimeError {
  const message = `${call.envelope.tool} was interrupted; whether it took effect is unknown`;
  return new RuntimeError('outcome_unknown', message);
}

async function execute(tools: ToolRunner, execution: Execution, call: PreparedCall): Promise<void> {
  // Reading leaves nothing behind, so its intent need not be durable first; writing waits for the disk.
  if (call.tool?.effect === 'write') await execution.journal.barrier();
  else await execution.journal.commit();
  faultPoint('tool.after_intent');
  const { signal, state } = execution;
  const finished = await tools.execute(call, { signal, exposure: state.exposure });
  faultPoint('tool.after_effect');
  // Given up without an end: what became of the call is for whoever takes the run over to find out.
  if (!finished.outcome.ok && isLeftOpen(execution.signal)) throw execution.signal.reason;
  recordResult(execution, call, finished);
}

function recordResult(
  execution: Execution,
  call: PreparedCall,
  finished: ReturnType<ToolRunner['settle']>,
): void {
  const denial = encodeDenial(call, finished);
  if (denial) execution.record({ type: 'policy.decision', payload: denial });
  execution.record({ type: 'tool.result', payload: finished.payload });
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
