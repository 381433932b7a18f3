import * as z from 'zod';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { fileFailed } from './file-errors.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { countField, pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import { readBytes, wholeCharactersLength } from './read-bytes.ts';
import { repairPath } from './repair-arguments.ts';

const DEFAULT_READ_BYTES = 256 * 1024;
const MAX_READ_BYTES = 4 * 1024 * 1024;

const input = z.strictObject({
  path: pathField('The file to read, relative to the workspace.'),
  max_bytes: z
    .int({ error: 'max_bytes must be a whole number' })
    .max(MAX_READ_BYTES, `max_bytes must be at most ${MAX_READ_BYTES}`)
    .describe(`The most bytes to return; 0 or less means ${DEFAULT_READ_BYTES}.`)
    .optional(),
  offset: countField('offset', 0, Number.MAX_SAFE_INTEGER)
    .describe('The byte to start at; pass next_offset of the previous answer to go on.')
    .optional(),
});

interface FileText {
  readonly path: string;
  readonly content: string;
  readonly truncated: boolean;
  /** Only when truncated. */
  readonly next_offset?: number;
}

export function createFsRead(guard: PathGuard): Tool {
  return defineTool<z.infer<typeof input>, FileText>({
    name: 'fs.read',
    description:
      'Read a text file in the workspace. Returns its content; when truncated is true there is more, and reading ' +
      'again with offset set to next_offset continues.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/files/fs-read.ts',
    input,
    repair: repairPath,
    aims: ({ path }) => aimAtPaths(guard, { field: 'path', path }),
    summarize: (_, { path, content }) => (content === '' ? `read ${path} (empty)` : `read ${path}`),

    async execute({ path, max_bytes = 0, offset = 0 }, { signal }) {
      signal.throwIfAborted();
      const { handle } = await guard.openForRead(path);
      try {
        const maxBytes = max_bytes > 0 ? max_bytes : DEFAULT_READ_BYTES;
        const { bytes, hasMore } = await readBytes(handle, { offset, maxBytes, signal });
        if (bytes.includes(0)) throw fileFailed(path, 'binary', 'is a binary file, not text');
        const length = hasMore ? wholeCharactersLength(bytes) : bytes.length;
        const content = bytes.toString('utf8', 0, length);
        if (!hasMore) return { path, content, truncated: false };
        return { path, content, truncated: true, next_offset: offset + length };
      } finally {
        await handle.close();
      }
    },
  });
}
