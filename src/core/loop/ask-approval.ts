import { RuntimeError } from '../errors.ts';
import { canonicalJson } from '../json.ts';
import { digestPayload } from '../reliability/idempotency/key-digests.ts';
import type { ToolFault } from '../tools/envelope.ts';
import type { PreparedCall } from '../tools/tool-runner.ts';
import type { Turn } from './tool-turn-deps.ts';

/**
 * Asks a person about a call and puts the run to rest: throws `approval_required` then, and whoever takes the run up
 * again makes the call under the answer. Only a question that can't be asked is answered here, with a refusal.
 */
export async function parkForApproval(
  { deps, execution }: Turn,
  call: PreparedCall,
  fault: ToolFault,
): Promise<RuntimeError> {
  const { value, paths } = deps.redactor.redact(call.input, 'input');
  if (paths.length > 0) {
    const why = 'its arguments hold a secret, which would not be kept while the run waits';
    return new RuntimeError('policy_denied', `${fault.message}; it can't be asked for: ${why}`);
  }
  const { requestId, tool, callId } = call.envelope;
  const id = deps.ids.approval();
  const reason = fault.message;
  const asked = {
    type: 'policy.decision' as const,
    payload: {
      decision: 'ask',
      approval_id: id,
      tool,
      tool_call_id: callId,
      request_id: requestId,
      message: reason,
    },
  };
  await execution.journal.park(asked, {
    id,
    requestId,
    tool,
    callId,
    input: canonicalJson(value),
    inputDigest: String(fault.details?.['input_digest'] ?? digestPayload(call.input)),
    reason,
    ttlMs: deps.approvalTtlMs,
  });
  throw new RuntimeError('approval_required', `run ${execution.run.id} waits for approval ${id}`);
}
