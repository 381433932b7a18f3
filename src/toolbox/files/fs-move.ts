import * as z from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import type { EntryType } from './paths/entry-access.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { createParentsField, flagField, pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import { adoptAlias, repairFlags, unquoteField } from './repair-arguments.ts';

const SRC_ALIASES = ['source', 'from', 'old_path', 'old', 'path', 'file', 'filename'];
const DST_ALIASES = ['destination', 'dest', 'to', 'new_path', 'new', 'target', 'name'];

const input = z.strictObject({
  src: pathField('The file or directory to move, relative to the workspace.', 'src'),
  dst: pathField('Its whole new path, relative to the workspace, with the new name.', 'dst'),
  overwrite: flagField('overwrite', 'Replace a file that is at dst'),
  create_parents: createParentsField(),
});

interface MovedEntry {
  readonly src: string;
  readonly dst: string;
  /** False when both were the same path already. */
  readonly moved: boolean;
  readonly type: EntryType;
  readonly overwrite: boolean;
  readonly summary: string;
}

export function createFsMove(guard: PathGuard): Tool {
  return defineTool<z.infer<typeof input>, MovedEntry>({
    name: 'fs.move',
    aliases: ['fs.rename'],
    description:
      'Move or rename a file or directory within the workspace. A file at dst is replaced only when overwrite is ' +
      'true, a directory never. The directory of dst must exist unless create_parents is true.',
    effect: 'write',
    // A second run would find src gone, or move what somebody has put there since.
    idempotent: false,
    serves: 'everyone',
    source: 'src/toolbox/files/fs-move.ts',
    input,
    repair: repairMove,
    async aims({ src, dst }) {
      const isTree = await guard.isDirectory(src, { asEntry: true });
      return aimAtPaths(
        guard,
        { field: 'src', path: src, isTree, asEntry: true },
        { field: 'dst', path: dst, isTree, asEntry: true },
      );
    },
    summarize: (_, { summary }) => summary,

    async execute({ src, dst, overwrite = false, create_parents = false }, { signal }) {
      signal.throwIfAborted();
      const createParents = create_parents;
      const { moved, type } = await guard.move({ src, dst, overwrite, createParents, signal });
      const summary = moved ? `moved ${src} to ${dst}` : `${src} and ${dst} are the same path`;
      return { src, dst, moved, type, overwrite, summary };
    },
  });
}

function repairMove(raw: JsonObject): JsonObject {
  const named = adoptAlias(adoptAlias(raw, 'dst', DST_ALIASES), 'src', SRC_ALIASES);
  const bare = unquoteField(unquoteField(named, 'src'), 'dst');
  return repairFlags(bare, ['overwrite', 'create_parents']);
}
