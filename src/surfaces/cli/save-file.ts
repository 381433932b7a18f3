import { link, open, rename, rm } from 'node:fs/promises';
import { isWithoutLinks } from '../../platform/create-file.ts';
import { FILE_MODE } from '../../platform/owner-only.ts';
import { toTemporaryPath } from '../../platform/temporary-path.ts';

export interface SaveOptions {
  readonly isReplacing: boolean;
  readonly onBytes: (bytes: number) => void;
}

/** For its owner alone, and whole or not at all. Throws `EEXIST` for a file that is there, unless it is replaced. */
export async function saveFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { isReplacing, onBytes }: SaveOptions,
): Promise<number> {
  const temporary = toTemporaryPath(path);
  const handle = await open(temporary, 'wx', FILE_MODE);
  try {
    let bytes = 0;
    try {
      for await (const chunk of content) {
        await handle.appendFile(chunk);
        bytes += chunk.length;
        onBytes(bytes);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isReplacing) await rename(temporary, path);
    else await takeName(temporary, path);
    return bytes;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function takeName(temporary: string, path: string): Promise<void> {
  await link(temporary, path).catch(async (error: unknown) => {
    if (!isWithoutLinks(error)) throw error;
    // There nobody can take a name in one step; whoever was first keeps it.
    await (await open(path, 'wx', FILE_MODE)).close();
    await rename(temporary, path);
  });
}
