import type { Tool } from '../../core/tools/tool.ts';
import { createCodeSearch } from './code-search.ts';
import { createFsAppend } from './fs-append.ts';
import { createFsDelete } from './fs-delete.ts';
import { createFsEdit } from './fs-edit.ts';
import { createFsGlob } from './fs-glob.ts';
import { createFsList } from './fs-list.ts';
import { createFsMove } from './fs-move.ts';
import { createFsRead } from './fs-read.ts';
import { createFsWrite } from './fs-write.ts';
import type { PathGuard } from './path-guard.ts';

export interface FileToolsDeps {
  readonly guard: PathGuard;
}

export function createFileTools({ guard }: FileToolsDeps): readonly Tool[] {
  return [
    createFsRead(guard),
    createFsList(guard),
    createFsWrite(guard),
    createFsEdit(guard),
    createFsAppend(guard),
    createFsDelete(guard),
    createFsMove(guard),
    createFsGlob(guard),
    createCodeSearch(guard),
  ];
}
