import type { RunId } from '../../../core/ids.ts';

/** Which frame: of which run, and a digest of its own id. */
export interface FrameKey {
  readonly runId: RunId;
  readonly key: string;
}

/** A frame that is on record: the writes of a batch need to know no more of it. */
export interface KnownFrame {
  readonly id: string;
  readonly digest: string;
}

export interface FrameRow extends KnownFrame, FrameKey {
  readonly frameId: string;
  readonly seq: number | undefined;
  readonly payload: string | undefined;
  readonly atMs: number;
}

/** The frames that the writes of one transaction name, and those that they add. */
export interface BatchFrames {
  readonly added: readonly FrameRow[];
  find(id: string): KnownFrame | undefined;
  add(frame: FrameRow): void;
}

export function createBatchFrames(loaded: Iterable<KnownFrame>): BatchFrames {
  const known = new Map<string, KnownFrame>();
  const added: FrameRow[] = [];
  for (const frame of loaded) known.set(frame.id, frame);
  return {
    added,
    find: (id) => known.get(id),
    add: (frame) => {
      known.set(frame.id, frame);
      added.push(frame);
    },
  };
}
