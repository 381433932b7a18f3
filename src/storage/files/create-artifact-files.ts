import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import type { Ids } from '../../core/ids.ts';
import { artifactsPath } from '../../core/records/record-paths.ts';
import type { Redactor } from '../../core/redact/redact.ts';
import type { ArtifactStore } from '../../core/tools/artifact-store.ts';
import { syncDirectory, writeDurably } from '../../platform/durable-write.ts';
import { makeDirectory } from '../../platform/owner-only.ts';

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
      await syncDirectory(join(root, directory));
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { id, path, bytes: content.length, sha256 };
    },

    async read({ runId, agentId, path, offset, maxBytes }) {
      const directory = artifactsPath(agentId, runId);
      const name = path.slice(directory.length + 1);
      // Only what `put` names, in the run's own folder: no path that somebody made up gets any further.
      if (path !== `${directory}/${name}` || !ARTIFACT_NAME.test(name)) throw artifactMissing(path);
      const handle = await open(join(root, directory, name), READ_ONLY).catch(() => undefined);
      if (handle === undefined) throw artifactMissing(path);
      try {
        const { size } = await handle.stat();
        const wanted = Math.max(0, Math.min(maxBytes, size - offset));
        const { buffer } = await handle.read(Buffer.alloc(wanted), 0, wanted, offset);
        const end = offset + wanted >= size ? wanted : wholeCharacters(buffer);
        const nextOffset = offset + end < size ? offset + end : undefined;
        return { text: buffer.toString('utf8', 0, end), totalBytes: size, nextOffset };
      } finally {
        await handle.close();
      }
    },
  };
}

const ARTIFACT_NAME = /^art_[0-9a-z]{26}-[A-Za-z0-9._-]{1,64}\.txt$/;
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW;

function artifactMissing(path: string): RuntimeError {
  const message = `this run has no artifact ${JSON.stringify(path.slice(0, 200))}`;
  return new RuntimeError('not_found', message, { details: { thing: 'artifact' } });
}

/** How many bytes at the front hold whole UTF-8 characters; the last one may have been cut. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
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
