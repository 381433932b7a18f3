import type { Tool } from '../tools/tool.ts';
import type { Decision } from './decision.ts';

/** What the first run did outside is done; a fork that goes the same way would do it again, so a person looks first. */
export function judgeFork(tool: Tool): Decision {
  if (!tool.traits.includes('outward_effect')) {
    return { decision: 'allow', reason: 'fork_stays_inside' };
  }
  return {
    decision: 'ask',
    reason: 'forked_run',
    message: `${tool.name} acts outward, and this run is a fork: the run it goes on from may have done so already`,
  };
}
