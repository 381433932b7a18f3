import type { Tool } from '../../core/tools/tool.ts';
import { createMemoryPin } from './memory-pin.ts';
import { createMemorySearch } from './memory-search.ts';
import type { MemoryToolsDeps } from './memory-tools-deps.ts';
import { createMemoryWrite } from './memory-write.ts';

/** They act for the agent of the run, and see what its principal owns. */
export function createMemoryTools(deps: MemoryToolsDeps): readonly Tool[] {
  return [createMemorySearch(deps), createMemoryWrite(deps), createMemoryPin(deps)];
}
