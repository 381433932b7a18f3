import type { EndedRun } from '../costs/close-runs.ts';
import { spentBy } from '../costs/spent.ts';
import type { Event } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { isStaleCursor } from '../events/stale-cursor.ts';
import { faultPoint } from '../fault-point.ts';
import type { RunId } from '../ids.ts';
import type { RunStore } from '../runs/run-store.ts';
import { createBundle, findPrompt } from './bundle.ts';
import { inParallel } from './in-parallel.ts';
import type { RecordSink } from './record-sink.ts';

const EVENTS_PER_PAGE = 500;
const PARALLEL_BUNDLES = 2;

export interface BundleRunsDeps {
  readonly runs: Pick<RunStore, 'find'>;
  readonly events: Pick<EventLog, 'read'>;
  readonly sink: Pick<RecordSink, 'writeBundle'>;
}

export interface BundlePass {
  /** Runs whose bundle is written. */
  readonly bundled: readonly EndedRun[];
  /** Runs that there is nothing to write for: nobody knows them any more, or not all of their events. */
  readonly gone: readonly RunId[];
  readonly failed: readonly RunId[];
  /** The first thing that went wrong, if anything did. The other runs were served all the same. */
  readonly fault: unknown;
}

/** Writes the bundles of runs that have ended. */
export async function bundleRuns(deps: BundleRunsDeps, ids: readonly RunId[]): Promise<BundlePass> {
  const bundled: EndedRun[] = [];
  const gone: RunId[] = [];
  const failed: RunId[] = [];
  let fault: unknown;
  await inParallel(ids, PARALLEL_BUNDLES, async (id) => {
    try {
      const one = await bundleRun(deps, id);
      if (one) bundled.push(one);
      else gone.push(id);
    } catch (error) {
      // Half a bundle would pass for the whole.
      if (isStaleCursor(error)) return void gone.push(id);
      failed.push(id);
      fault ??= error;
    }
  });
  return { bundled, gone, failed, fault };
}

async function bundleRun(deps: BundleRunsDeps, runId: RunId): Promise<EndedRun | undefined> {
  const run = await deps.runs.find(runId);
  if (run === undefined) return undefined;
  const events = await readAll(deps.events, runId);
  faultPoint('record.before_bundle');
  await deps.sink.writeBundle(createBundle({ run, events, prompt: findPrompt(events) }));
  const { projectId, agentId, provider, endedAtMs = run.updatedAtMs } = run;
  const model = provider === undefined ? undefined : `${provider}/${run.model ?? ''}`;
  return { runId, projectId, agentId, model, endedAtMs, spent: spentBy(events) };
}

async function readAll(log: BundleRunsDeps['events'], id: RunId): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (;;) {
    const next = await log.read(id, { after: events.at(-1)?.seq ?? 0, limit: EVENTS_PER_PAGE });
    events.push(...next);
    if (next.length < EVENTS_PER_PAGE) return events;
  }
}
