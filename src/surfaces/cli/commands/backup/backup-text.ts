import type { JsonObject } from '../../../../core/json.ts';
import type { Live } from '../../live.ts';
import type { BackedUp, CheckedRecords, Stage } from './backup-access.ts';

const STAGES: Readonly<Record<Stage['stage'], string>> = {
  copying: 'copying the database',
  writing: 'writing',
  unpacking: 'unpacking',
  verifying: 'verifying',
  placing: 'putting it in place',
};

/** Stages as lines, and within a stage how far it is for whoever looks. */
export function reportStages(live: Live) {
  let name = '';
  let shown = -1;
  return {
    onStage({ stage, bytes }: Stage): void {
      name = STAGES[stage];
      shown = -1;
      const amount = bytes === 0 ? '' : ` (${formatBytes(bytes)})`;
      live.note(`${name}${amount} …`);
    },
    onProgress(done: number, total: number): void {
      // Files may have grown since they were measured.
      const percent = done >= total ? 100 : Math.floor((100 * done) / total);
      if (percent === shown) return;
      shown = percent;
      live.progress(`${name}: ${percent} %`);
    },
  };
}

export function encodeBackedUp(header: BackedUp, audit: CheckedRecords | undefined): JsonObject {
  const { created_at, version, engine, schema_version, has_secrets, has_workspace } = header;
  return {
    ...{ created_at, made_by: version, engine, has_secrets, has_workspace },
    // The envelope has a version of that name.
    database_version: schema_version,
    audit:
      audit === undefined
        ? null
        : {
            runs_count: audit.runs,
            events_count: audit.events,
            faults_count: audit.faults,
          },
  };
}

export function describeRecords(audit: CheckedRecords | undefined): string {
  if (audit === undefined) return 'without the database, which is in PostgreSQL';
  return `${audit.events} events of ${audit.runs} runs`;
}

export function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  return bytes < 1024 ** 3
    ? `${(bytes / 1024 ** 2).toFixed(1)} MiB`
    : `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}
