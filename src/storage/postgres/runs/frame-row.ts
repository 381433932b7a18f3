import type { NewFrame } from '../../../core/runs/run-store.ts';
import { digestKey } from '../../../core/secrets/digest-key.ts';
import { bulkInsert, type Column } from '../bulk.ts';
import { encodeText } from '../text-codec.ts';
import type { Transaction } from '../transact-once.ts';
import type { FrameKey, FrameRow, KnownFrame } from './batch-frames.ts';
import type { RunWrite } from './run-write.ts';

export function toFrameKey({ runId, frameId }: NewFrame): FrameKey {
  return { runId, key: digestKey(frameId) };
}

/** One name for a frame among those of all runs. */
export function nameFrame({ runId, key }: FrameKey): string {
  return `${runId} ${key}`;
}

const COLUMNS: readonly Column<FrameRow>[] = [
  ['run_id', 'text', (frame) => frame.runId],
  ['key', 'text', (frame) => frame.key],
  ['frame_id', 'text', (frame) => encodeText(frame.frameId)],
  ['digest', 'text', (frame) => frame.digest],
  ['seq', 'bigint', (frame) => frame.seq],
  ['payload', 'text', (frame) => frame.payload],
  ['at_ms', 'bigint', (frame) => frame.atMs],
];

export const INSERT_FRAMES = bulkInsert('frames', COLUMNS);

const LOAD = `
  select f.run_id as "runId", f.key, f.digest
  from frames f join unnest($1::text[], $2::text[]) as n(run_id, key)
  on f.run_id = n.run_id and f.key = n.key`;

type StoredFrame = FrameKey & { readonly digest: string };

/** Read after the locks on their runs were granted, so nobody else adds one. */
export async function loadFrames(
  transaction: Transaction,
  writes: readonly RunWrite[],
): Promise<KnownFrame[]> {
  const keys = writes.flatMap((write) => write.frame ?? []);
  if (keys.length === 0) return [];
  const values = [keys.map(({ runId }) => runId), keys.map(({ key }) => key)];
  const stored = await transaction.query<StoredFrame>({ name: 'load_frames', text: LOAD, values });
  return stored.map(({ digest, ...key }) => ({ id: nameFrame(key), digest }));
}
