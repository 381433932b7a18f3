import type { Clock } from '../core/clock.ts';
import type { Tool } from '../core/tools/tool.ts';
import { createFileTools, type FileToolsDeps } from './files/file-tools.ts';
import { createDecisionLog } from './runs/decision-log.ts';
import { createRunTools, type RunToolsDeps } from './runs/run-tools.ts';
import { createTimeTool } from './time/time-now.ts';

export interface ToolboxDeps extends FileToolsDeps {
  readonly clock: Clock;
  /** Without it the tools that look at runs and agents are left out. */
  readonly runs?: RunToolsDeps;
}

/** Every built-in tool. Which of them an agent may use is the policy's to say. */
export function createToolbox(deps: ToolboxDeps): readonly Tool[] {
  return [
    ...createFileTools(deps),
    createTimeTool(deps.clock),
    createDecisionLog(),
    ...(deps.runs === undefined ? [] : createRunTools(deps.runs)),
  ];
}
