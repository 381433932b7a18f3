import type { ToolContext } from '../../core/tools/tool.ts';

/** The same for every try of one call, also after a crash, and for no other call: a caller's key may come with several. */
export function callKey({ idempotencyKey, isCallersKey, runId, callId }: ToolContext): string {
  return idempotencyKey === undefined || isCallersKey ? `${runId}:${callId}` : idempotencyKey;
}
