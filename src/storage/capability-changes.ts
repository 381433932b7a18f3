import { RuntimeError } from '../core/errors.ts';
import type { CapabilityChange } from '../core/policy/capability-store.ts';

/** Lists are read whole, since a revocation left out would be a grant: the number is bounded where they are made. */
export const MAX_CAPABILITIES = 10_000;

export function tooManyCapabilities(): RuntimeError {
  const message = `there are ${MAX_CAPABILITIES} changes of capabilities already`;
  return new RuntimeError('limit_reached', message);
}

/** By agent and tool. Engines keep names as JSON strings, which sort differently. */
export function sortCapabilities(changes: CapabilityChange[]): CapabilityChange[] {
  return changes.sort((a, b) => compare(a.agentId, b.agentId) || compare(a.tool, b.tool));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
