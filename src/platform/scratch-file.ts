import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file for this process alone, without a name: it is gone when it is closed, and when the process is killed. */
export async function openScratchFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `pincer-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return handle;
}
