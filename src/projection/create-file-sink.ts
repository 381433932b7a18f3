import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { RuntimeError } from '../core/errors.ts';
import type { ProjectionDocument } from '../core/projection/projection.ts';
import type { ProjectionSink } from '../core/projection/projection-sink.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { makeDirectory } from '../platform/owner-only.ts';
import { replaceFile } from '../platform/replace-file.ts';

const PLAIN_ID = /^[a-z0-9_-][a-z0-9._-]{0,159}$/;
/** How names that are made end: an id that looks like one must not take another's place. */
const MADE_NAME = /\.[0-9a-f]{16}$/;

/**
 * One JSON file for each document, for the owner alone: summaries name people. Replaced in one step, and on the disk
 * then, because the checkpoint that follows says that the document is there.
 */
export function createFileSink(directory: string): ProjectionSink {
  return {
    kind: 'file',

    async write(document) {
      const folder = join(directory, document.projection);
      const path = join(folder, toFileName(document));
      try {
        await makeDirectory(folder);
        await replaceFile(path, `${JSON.stringify(document.summary, null, 2)}\n`);
      } catch (cause) {
        throw toFault(path, cause);
      }
    },
  };
}

/** Ids of workers may hold colons, and two that differ in case only are one file on some systems. */
function toFileName({ id, projection }: ProjectionDocument): string {
  const name = id.slice(`runtime/${projection}:`.length);
  if (PLAIN_ID.test(name) && !MADE_NAME.test(name)) return `${name}.json`;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100)}.${digest}.json`;
}

function toFault(path: string, cause: unknown): RuntimeError {
  const errno = errnoOf(cause);
  const reason = errno === undefined ? '' : ` (${errno})`;
  return new RuntimeError('storage_unavailable', `${path} can not be written${reason}`, { cause });
}
