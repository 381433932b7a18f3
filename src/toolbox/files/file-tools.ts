import type { Tool } from '../../core/tools/tool.ts';
import { type PerWorkspace, perWorkspace } from '../per-workspace.ts';
import { createCodeSearch } from './code-search.ts';
import { createFsAppend } from './fs-append.ts';
import { createFsDelete } from './fs-delete.ts';
import { createFsEdit } from './fs-edit.ts';
import { createFsGlob } from './fs-glob.ts';
import { createFsList } from './fs-list.ts';
import { createFsMove } from './fs-move.ts';
import { createFsRead } from './fs-read.ts';
import { createFsWrite } from './fs-write.ts';
import type { PathGuard } from './paths/path-guard.ts';

export interface FileToolsDeps {
  readonly guards: PerWorkspace<PathGuard>;
}

const TOOLS = [
  createFsRead,
  createFsList,
  createFsWrite,
  createFsEdit,
  createFsAppend,
  createFsDelete,
  createFsMove,
  createFsGlob,
  createCodeSearch,
];

export function createFileTools({ guards }: FileToolsDeps): readonly Tool[] {
  return TOOLS.map((create) => perWorkspace(guards, create));
}
