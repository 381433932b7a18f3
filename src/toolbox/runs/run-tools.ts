import type { AgentStore } from '../../core/agents/agent.ts';
import type { Runs } from '../../core/runs/runs.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { createAgentList } from './agent-list.ts';
import { createMetricsGet } from './metrics-get.ts';
import { createRunCancel } from './run-cancel.ts';
import { createRunGet } from './run-get.ts';
import { createRunList } from './run-list.ts';

/** Its methods are called when a tool runs and not before, so they may pass on to what is made after the tools. */
export interface RunToolsDeps {
  readonly runs: Pick<Runs, 'list' | 'get' | 'cancel' | 'trace'>;
  readonly agents: Pick<AgentStore, 'list'>;
}

export function createRunTools({ runs, agents }: RunToolsDeps): readonly Tool[] {
  return [
    createRunList(runs),
    createRunGet(runs),
    createRunCancel(runs),
    createAgentList(agents),
    createMetricsGet(runs),
  ];
}
