import { mkdir } from 'node:fs/promises';

/** What the runtime keeps holds secrets, or what people and agents said: for the account that runs it alone. */
export const FILE_MODE = 0o600;
export const DIRECTORY_MODE = 0o700;

export async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
}
