import type { WriteOpName } from './write-ops.ts';
import type { CommittedBatch } from './writer.ts';

/** Agents as they were last read. Every run looks its agent up, and agents change when somebody edits them. */
export interface AgentRows {
  /** What is known by this id; else what is loaded, when there is something. */
  find(id: string, load: () => unknown): unknown;
  learn(batch: Pick<CommittedBatch, 'writes' | 'hasForeignCommit'>): void;
  /** Somebody else has written. */
  clear(): void;
}

const MAX_ROWS = 100;

/** Most writes there are, and none of them changes an agent. */
const OF_RUNS: ReadonlySet<WriteOpName> = new Set<WriteOpName>([
  'create',
  'claim',
  'renew',
  'release',
  'append',
  'finish',
  'park',
  'rest',
  'acceptFrame',
  'note',
  'requestCancel',
  'markRecorded',
  'claimKey',
  'renewKey',
  'settleKey',
  'releaseKey',
]);

export function createAgentRows(): AgentRows {
  const rows = new Map<string, unknown>();
  const clear = () => rows.clear();
  return {
    find(id, load) {
      const known = rows.get(id);
      if (known !== undefined) return known;
      const row = load();
      if (row === undefined) return undefined;
      if (rows.size >= MAX_ROWS) clear();
      rows.set(id, row);
      return row;
    },

    learn({ writes, hasForeignCommit }) {
      if (hasForeignCommit || writes.some(({ op }) => !OF_RUNS.has(op))) clear();
    },

    clear,
  };
}
