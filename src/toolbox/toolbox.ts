import type { Clock } from '../core/clock.ts';
import type { Tool } from '../core/tools/tool.ts';
import { createFileTools, type FileToolsDeps } from './files/file-tools.ts';
import { createTimeTool } from './time/time-now.ts';

export interface ToolboxDeps extends FileToolsDeps {
  readonly clock: Clock;
}

/** Every built-in tool. Which of them an agent may use is the policy's to say. */
export function createToolbox(deps: ToolboxDeps): readonly Tool[] {
  return [...createFileTools(deps), createTimeTool(deps.clock)];
}
