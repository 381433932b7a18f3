import type { RecordingDeps } from '../core/replay/read-recording.ts';
import type { PackBundle } from '../operations/runs/run-log.ts';

/** What packs files is loaded when somebody downloads them. */
export function createPackBundle(storage: RecordingDeps): PackBundle {
  return async (runId) => {
    const { readBundle } = await import('../core/records/read-bundle.ts');
    const { packBundle } = await import('../storage/archive/pack-bundle.ts');
    return packBundle(await readBundle(storage, runId));
  };
}
