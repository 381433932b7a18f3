import type { RunId } from '../ids.ts';
import { type RecordingDeps, readEndedRun } from '../replay/read-recording.ts';
import { createBundle, findPrompt } from './bundle.ts';
import type { Bundle } from './record-sink.ts';

/**
 * The bundle of an ended run, made of its log: whichever node has written the files. Throws `not_found`, `conflict` while
 * it goes on, and `stale_cursor` when its beginning is no longer kept.
 */
export async function readBundle(deps: RecordingDeps, runId: RunId): Promise<Bundle> {
  const { run, log } = await readEndedRun(deps, runId);
  return createBundle({ run, events: log, prompt: findPrompt(log) });
}
