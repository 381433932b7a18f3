import { defined } from '../../core/defined.ts';
import type { RunId } from '../../core/ids.ts';
import type { Audit, VerifyProgress } from '../../core/records/audit.ts';
import { watchVerification } from '../../operations/audit/audit.ts';
import { encodeVerification } from '../../operations/audit/audit-codec.ts';
import { addStream } from '../http/streams/add-stream.ts';
import type { EventStream } from '../http/streams/event-stream.ts';
import { encodeSseFrame } from '../http/streams/sse-frame.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';

export async function addAuditRoutes(
  app: SurfaceApp,
  audit: Pick<Audit, 'assertFree' | 'watch'>,
  kit: SurfaceKit,
): Promise<void> {
  await addStream(app, kit, {
    operation: watchVerification,
    async start({ query }) {
      const request = defined({ runId: query.run_id as RunId | undefined });
      await audit.assertFree(request);
      return request;
    },
    async pump(request, stream) {
      const onProgress = createTeller(stream);
      const verdict = await audit.watch({ ...request, signal: stream.signal, onProgress });
      await stream.send([toFrame('done', encodeVerification(verdict))]);
    },
  });
}

/** Says how far it is while the reader has room; what it missed the next one says too. */
function createTeller(stream: EventStream) {
  let isWaiting = false;
  return ({ runs, events, totalRuns }: VerifyProgress) => {
    if (isWaiting) return;
    const data = { runs_count: runs, events_count: events, total_runs_count: totalRuns };
    const room = stream.send([toFrame('progress', data)]);
    if (room === undefined) return;
    isWaiting = true;
    void room.then(() => {
      isWaiting = false;
    });
  };
}

function toFrame(event: string, data: object): string {
  return encodeSseFrame({ event, data: JSON.stringify(data) });
}
