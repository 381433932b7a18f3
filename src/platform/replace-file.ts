import { rm } from 'node:fs/promises';
import { moveFile, writeDurably } from './durable-write.ts';
import { errnoOf } from './errno-of.ts';
import { FILE_MODE } from './owner-only.ts';
import { toTemporaryPath } from './temporary-path.ts';

export interface ReplaceOptions {
  /** Of the new file, whatever the old one's was; for its owner alone unless given. */
  readonly mode?: number;
  /** Writers take turns. Then what a crash left goes with the next write, instead of lying there for good. */
  readonly hasOneWriter?: boolean;
}

/** Replaces a file in one step: a reader or a crash sees the old content or the new one, whole. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = FILE_MODE, hasOneWriter = false }: ReplaceOptions = {},
): Promise<void> {
  const temporary = hasOneWriter ? `${path}.tmp` : toTemporaryPath(path);
  try {
    if (hasOneWriter) await rm(temporary, { force: true });
    await writeDurably(temporary, content, mode);
    await moveFile(temporary, path);
  } catch (error) {
    // One that was there already is somebody else's.
    if (errnoOf(error) !== 'EEXIST') await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
