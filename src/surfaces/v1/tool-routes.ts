import { callTool, type ToolCalling } from '../../operations/tool-calls/tool-calls.ts';
import { addOperation } from '../http/add-operations.ts';
import { readTrace } from '../http/read-trace.ts';
import { untilGone } from '../http/streams/until-gone.ts';
import type { SurfaceApp } from '../http/surface.ts';

export async function addToolRoutes(
  app: SurfaceApp,
  { runs }: Pick<ToolCalling, 'runs'>,
): Promise<void> {
  await addOperation(app, callTool, (request, reply) => ({
    runs,
    caller: untilGone(reply),
    isTraced: readTrace(request)?.traceparent !== undefined,
  }));
}
