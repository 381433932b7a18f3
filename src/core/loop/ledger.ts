import type { EffectWrite } from '../effects/effect.ts';
import { leavesEffectUnknown } from '../reliability/fault.ts';
import { digestPayload } from '../reliability/idempotency/key-digests.ts';
import { type ToolFault, type ToolOutcome, toWireCode } from '../tools/envelope.ts';
import type { PreparedCall } from '../tools/tool-runner.ts';

/** The ledger's first word about a call that writes; a call that reads has no entry. */
export function intendEffect(call: PreparedCall): EffectWrite | undefined {
  if (call.tool?.effect !== 'write') return undefined;
  const { requestId, tool, callId } = call.envelope;
  return {
    step: 'intend',
    id: requestId,
    tool,
    callId,
    key: call.callerKey?.sent ?? (call.tool.sendsKey ? requestId : undefined),
    inputDigest: digestPayload(call.input),
  };
}

/** How far a call got: `earlier` when a process before this one had sent it already. */
export type Sending = 'never' | 'now' | 'earlier';

/** Its last word. A call that was sent and did not say how it ended is unknown, not failed. */
export function settleEffect(
  call: PreparedCall,
  outcome: ToolOutcome,
  sending: Sending,
): EffectWrite | undefined {
  if (call.tool?.effect !== 'write') return undefined;
  const id = call.envelope.requestId;
  if (outcome.ok) return { step: 'settle', id, status: 'confirmed' };
  const { error } = outcome;
  return {
    step: 'settle',
    id,
    status: isUncertain(error, sending) ? 'unknown' : 'failed',
    error: { code: toWireCode(error.code), message: error.message },
  };
}

/** Why a call failed the second time says nothing about what the first one did. */
function isUncertain(fault: ToolFault, sending: Sending): boolean {
  if (sending !== 'now') return sending === 'earlier';
  return leavesEffectUnknown(fault);
}
