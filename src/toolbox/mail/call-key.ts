import type { ToolContext } from '../../core/tools/tool.ts';

/** The same for every try of one call, also after a crash, and for no other call. */
export function callKey(ctx: ToolContext): string {
  return ctx.idempotencyKey ?? `${ctx.runId}:${ctx.callId}`;
}
