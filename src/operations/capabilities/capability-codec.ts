import { toIso } from '../../core/clock.ts';
import type { AgentCapabilities } from '../../core/tools/tool-grants.ts';
import type { CapabilityListShape } from './capability-shapes.ts';

export function encodeCapabilities(capabilities: AgentCapabilities): CapabilityListShape {
  return {
    agent_id: capabilities.agentId,
    granted: [...capabilities.granted],
    changes: capabilities.changes.map(({ tool, effect, by, atMs }) => ({
      tool,
      effect,
      by,
      at: toIso(atMs),
    })),
  };
}
