import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { contentField, countLines } from './content-field.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { createParentsField, pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import { repairContent } from './repair-arguments.ts';

const input = z.strictObject({
  path: pathField('The file to write, relative to the workspace.'),
  content: contentField('The whole new content of the file.'),
  create_parents: createParentsField(),
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
    serves: 'everyone',
    source: 'src/toolbox/files/fs-write.ts',
    input,
    repair: repairContent,
    aims: ({ path }) => aimAtPaths(guard, { field: 'path', path }),
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
