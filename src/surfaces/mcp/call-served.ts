import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { RuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import { createCallReport } from './call-report.ts';
import { ToolCallError } from './direct-tools.ts';
import { encodeFault, reportFault } from './errors.ts';
import type { ServedTool } from './served-tool.ts';

/** Calls under way at once, over all clients; each may wait for minutes. */
const MAX_CALLS = 64;

export interface ServedCalls {
  readonly logger: Logger;
  readonly count: { active: number };
}

/** Every way a call can end is a result: refusals are for the model that called. */
export async function callServed(
  { logger, count }: ServedCalls,
  call: { readonly tool: ServedTool; readonly input: JsonObject; readonly context: ServerContext },
): Promise<CallToolResult> {
  const { mcpReq, http } = call.context;
  const report = createCallReport(mcpReq, logger);
  // A caller that hung up will not hear the answer, in a session or without one.
  const signal = AbortSignal.any([mcpReq.signal, ...(http?.req ? [http.req.signal] : [])]);
  count.active += 1;
  try {
    if (count.active > MAX_CALLS) {
      throw new RuntimeError('rate_limited', `more than ${MAX_CALLS} calls are under way`);
    }
    const { output, runId } = await call.tool.run(call.input, { signal, onEvents: report.take });
    return {
      content: [{ type: 'text', text: JSON.stringify(output) }],
      structuredContent: { ...output },
      ...(runId === undefined ? {} : { _meta: { 'pincer/run_id': runId } }),
    };
  } catch (thrown) {
    if (thrown instanceof ToolCallError)
      return failed(thrown.message, { 'pincer/run_id': thrown.runId });
    const { code, message } = encodeFault(reportFault(logger, thrown));
    return failed(`${code}: ${message}`, {});
  } finally {
    count.active -= 1;
    await report.sent();
  }
}

function failed(text: string, meta: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true, _meta: meta };
}
