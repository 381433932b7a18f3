import type { Tool } from '../../core/tools/tool.ts';
import { createCodeSearch } from './code-search.ts';
import { createFsEdit } from './fs-edit.ts';
import { createFsList } from './fs-list.ts';
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
    createCodeSearch(guard),
  ];
}
