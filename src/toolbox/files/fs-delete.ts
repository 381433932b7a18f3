import * as z from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { defineTool, type Tool, type ToolNature } from '../../core/tools/tool.ts';
import { fileMissing } from './file-errors.ts';
import type { EntryType } from './paths/entry-access.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { flagField, pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import { repairFlags, repairPath } from './repair-arguments.ts';
import { MAX_TREE_ENTRIES } from './visit-tree.ts';

const TIMEOUT_MS = 120_000;

const input = z.strictObject({
  path: pathField('The file or directory to delete, relative to the workspace.'),
  recursive: flagField('recursive', 'Delete a directory with all that is in it'),
  force: flagField('force', 'Succeed when there is nothing to delete'),
});

interface Deleted {
  readonly path: string;
  readonly deleted: boolean;
  /** Absent when nothing was there. A link is a file. */
  readonly type?: EntryType;
  readonly recursive: boolean;
  readonly skipped?: 'not_found';
  readonly summary: string;
}

export function createFsDelete(guard: PathGuard): Tool {
  return defineTool<z.infer<typeof input>, Deleted>({
    name: 'fs.delete',
    description:
      'Delete a file of the workspace, or a directory when recursive is true. A link is deleted itself, not what it ' +
      `leads to. A directory with more than ${MAX_TREE_ENTRIES} entries is refused. There is no way back.`,
    effect: 'write',
    idempotent: false,
    natureOf,
    limits: { timeoutMs: TIMEOUT_MS },
    serves: 'everyone',
    source: 'src/toolbox/files/fs-delete.ts',
    input,
    repair: (raw) => repairFlags(repairPath(raw), ['recursive', 'force']),
    async aims({ path, recursive = false }) {
      const isTree = recursive && (await guard.isDirectory(path, { asEntry: true }));
      return aimAtPaths(guard, { field: 'path', path, isTree, asEntry: true });
    },
    summarize: (_, { summary }) => summary,

    async execute({ path, recursive = false, force = false }, { signal }) {
      signal.throwIfAborted();
      const result = await guard.remove(path, { recursive, signal });
      if (result.outcome === 'removed') {
        const { type, entries } = result;
        const what = type === 'dir' ? `directory ${path} (${entries} entries)` : path;
        return { path, deleted: true, type, recursive, summary: `deleted ${what}` };
      }
      if (!force) throw fileMissing(path);
      const summary = `${path} does not exist; nothing deleted`;
      return { path, deleted: false, recursive, skipped: 'not_found', summary };
    },
  });
}

/**
 * With force a second run finds nothing and is content. Without it the second would report as missing what the first
 * has deleted, so an interrupted call is left for somebody to look at.
 */
function natureOf(raw: JsonObject): ToolNature {
  const { force } = repairFlags(raw, ['force']);
  return { effect: 'write', idempotent: force === true, sendsKey: false };
}
