import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { contentField, countLines } from './content-field.ts';
import { fileFailed } from './file-errors.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { createParentsField, pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import type { WriteTarget } from './paths/write-target.ts';
import { readBytes } from './read-bytes.ts';
import { repairContent, repairFlags } from './repair-arguments.ts';
import { MAX_TEXT_BYTES } from './text-limit.ts';

const input = z.strictObject({
  path: pathField('The file to append to, relative to the workspace; created if it is missing.'),
  content: contentField(
    'The text to add. It is added as it is: begin or end it with \\n as needed.',
  ),
  create_parents: createParentsField(),
});

interface Appended {
  readonly path: string;
  readonly bytes_appended: number;
  readonly lines_appended: number;
  readonly summary: string;
}

export function createFsAppend(guard: PathGuard): Tool {
  return defineTool<z.infer<typeof input>, Appended>({
    name: 'fs.append',
    description:
      'Add text to the end of a file in the workspace, creating the file if it is missing. The directory must exist ' +
      'unless create_parents is true. Each call adds the text once more.',
    effect: 'write',
    // Two equal calls mean two lines: never repeated by us, and never collapsed into one.
    idempotent: false,
    dedupe: false,
    serves: 'everyone',
    source: 'src/toolbox/files/fs-append.ts',
    input,
    repair: (raw) => repairFlags(repairContent(raw), ['create_parents']),
    aims: ({ path }) => aimAtPaths(guard, { field: 'path', path }),
    summarize: (_, { summary }) => summary,

    async execute({ path, content, create_parents = false }, { signal }) {
      signal.throwIfAborted();
      const bytes = Buffer.from(content);
      const target = await guard.openForWrite(path, { createParents: create_parents });
      try {
        signal.throwIfAborted();
        if ((await target.append(bytes)) === 'shared')
          await replaceShared(target, bytes, { path, signal });
      } finally {
        await target.close();
      }
      const lines = countLines(content);
      return {
        path,
        bytes_appended: bytes.length,
        lines_appended: lines,
        summary: `appended ${lines} line(s) to ${path}`,
      };
    },
  });
}

/** A file with several names may be one outside the workspace: ours becomes a file of its own. */
async function replaceShared(
  target: WriteTarget,
  addition: Uint8Array,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<void> {
  const handle = await target.openExisting();
  const range = { offset: 0, maxBytes: MAX_TEXT_BYTES, signal };
  const { bytes, hasMore } = await readBytes(handle, range).finally(() => handle.close());
  if (hasMore) {
    const message = `has several names and is larger than ${MAX_TEXT_BYTES} bytes`;
    throw fileFailed(path, 'too_large', message);
  }
  await target.replace(Buffer.concat([bytes, addition]), {
    signal,
    ...defined({ ifUnchanged: target.existing }),
  });
}
