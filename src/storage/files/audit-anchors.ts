import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeHead, type SignedHead } from '../../core/records/audit-head.ts';
import { auditAnchorPath } from '../../core/records/record-paths.ts';
import { isMissing } from '../../platform/errno-of.ts';
import { FILE_MODE } from '../../platform/owner-only.ts';

/**
 * Remembers how far an agent's files are on the disk, outside of them: files that end before that were cut. Written
 * after they are synced and not synced itself: an older anchor is still true.
 */
export async function writeAnchor(root: string, agentId: string, line: string): Promise<void> {
  const path = join(root, auditAnchorPath(agentId));
  try {
    // One process writes the records of a state root, so the name is free.
    await writeFile(`${path}.tmp`, `${line}\n`, { mode: FILE_MODE });
    await rename(`${path}.tmp`, path);
  } catch (error) {
    // The folder is gone, and with it the files that this is about.
    if (!isMissing(error)) throw error;
  }
}

/** Undefined when there is none, or a power loss has left nothing of it. */
export async function readAnchor(root: string, agentId: string): Promise<SignedHead | undefined> {
  const text = await readFile(join(root, auditAnchorPath(agentId)), 'utf8').catch(
    (error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    },
  );
  return decodeHead(text.trimEnd());
}
