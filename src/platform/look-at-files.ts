import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { FoundFile, OwnFile } from '../core/security/judge-files.ts';

/** Those that are there, as they are. */
export async function lookAtFiles(files: readonly OwnFile[]): Promise<FoundFile[]> {
  const looks = await Promise.all(files.map(lookAt));
  return looks.filter((file) => file !== undefined);
}

async function lookAt(file: OwnFile): Promise<FoundFile | undefined> {
  const stats = await stat(file.path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const wanted = file.needs === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK;
  const isUsable = await access(file.path, wanted).then(
    () => true,
    () => false,
  );
  return { ...file, mode: stats.mode & 0o777, isFolder: stats.isDirectory(), isUsable };
}
