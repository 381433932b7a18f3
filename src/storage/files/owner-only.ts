import { mkdir, open } from 'node:fs/promises';

/** Records hold what people and agents said: nobody but the account that runs the server reads them. */
export const FILE_MODE = 0o600;
export const DIRECTORY_MODE = 0o700;

export async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
}

/** Makes names in a directory survive a power loss; syncing a file does not save its name. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
