import { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { pathField } from './path-field.ts';
import type { PathGuard } from './path-guard.ts';
import { adoptAlias, repairPath } from './repair-arguments.ts';
import { MAX_TEXT_BYTES } from './text-limit.ts';

const CONTENT_ALIASES = ['text', 'body', 'code', 'value', 'data', 'newText'];

const input = z.strictObject({
  path: pathField('The file to write, relative to the workspace.'),
  content: z
    .string({
      error: (issue) =>
        issue.input === undefined ? 'content is required' : 'content must be a string',
    })
    .refine((content) => Buffer.byteLength(content) <= MAX_TEXT_BYTES, {
      error: `content must be at most ${MAX_TEXT_BYTES} bytes`,
    })
    .describe('The whole new content of the file.'),
  create_parents: z
    .boolean({ error: 'create_parents must be true or false' })
    .describe('Make missing directories on the way; false when left out.')
    .optional(),
});

interface Written {
  readonly path: string;
  readonly bytes: number;
  readonly lines: number;
  readonly summary: string;
}

export function createFsWrite(guard: PathGuard): Tool {
  return defineTool<z.infer<typeof input>, Written>({
    name: 'fs.write',
    description:
      'Write a text file in the workspace, replacing it whole if it exists. The directory must exist unless ' +
      'create_parents is true. To change a part of a file use fs.edit.',
    effect: 'write',
    idempotent: true,
    source: 'src/toolbox/files/fs-write.ts',
    input,
    repair: repairWrite,
    summarize: (_, { summary }) => summary,

    async execute({ path, content, create_parents = false }, { signal }) {
      signal.throwIfAborted();
      const bytes = Buffer.from(content);
      const target = await guard.openForWrite(path, { createParents: create_parents });
      try {
        await target.replace(bytes, { signal });
      } finally {
        await target.close();
      }
      const lines = countLines(content);
      return { path, bytes: bytes.length, lines, summary: `wrote ${lines} line(s) to ${path}` };
    },
  });
}

function repairWrite(raw: JsonObject): JsonObject {
  const named = adoptAlias(repairPath(raw), 'content', CONTENT_ALIASES);
  const { path, content } = named;
  if (typeof path !== 'string' || content !== undefined) return named;
  // Some models put both into one argument: "notes.txt, the text".
  const comma = path.indexOf(',');
  if (comma <= 0) return named;
  const split = { path: path.slice(0, comma), content: path.slice(comma + 1).trimStart() };
  return repairPath({ ...named, ...split });
}

function countLines(content: string): number {
  return content === '' ? 0 : content.split('\n').length;
}
