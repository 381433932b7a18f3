import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ids } from '../../core/ids.ts';
import { artifactsPath } from '../../core/records/record-paths.ts';
import type { Redactor } from '../../core/redact/redact.ts';
import type { ArtifactStore } from '../../core/tools/artifact-store.ts';
import { FILE_MODE, makeDirectory, syncPath } from './owner-only.ts';

const MAX_NAME_CHARS = 64;

export interface ArtifactFilesConfig {
  /** The state root; artifacts lie under its `.openclawssy`. */
  readonly root: string;
  readonly ids: Pick<Ids, 'artifact'>;
  readonly redactor: Redactor;
}

/**
 * Large outputs as files. One is safe on disk before its path is handed out, since the event that names it is, too.
 * Redaction is done once more here: a second time changes nothing, and a caller that forgot does no harm.
 */
export function createArtifactFiles({ root, ids, redactor }: ArtifactFilesConfig): ArtifactStore {
  return {
    async put({ runId, agentId, name, text }) {
      const directory = artifactsPath(agentId, runId);
      const id = ids.artifact();
      const path = `${directory}/${id}-${toSafeName(redactor.redactText(name))}.txt`;
      const content = Buffer.from(redactor.redactText(text), 'utf8');
      await makeDirectory(join(root, directory));
      await writeDurably(join(root, path), content);
      await syncPath(join(root, directory));
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { id, path, bytes: content.length, sha256 };
    },
  };
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const handle = await open(path, 'wx', FILE_MODE);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
}

/** Letters, digits, dots, dashes and underscores; never empty, hidden or long. */
function toSafeName(name: string): string {
  const safe = name
    .slice(0, MAX_NAME_CHARS * 4)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME_CHARS)
    .replace(/[.-]+$/, '');
  return safe === '' ? 'output' : safe;
}
