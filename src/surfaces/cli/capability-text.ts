import type { CapabilityListShape } from '../../operations/capabilities/capability-shapes.ts';

export function encodeGranted({ agent_id, granted, changes }: CapabilityListShape) {
  return { agent_id, granted_count: granted.length, granted, changes };
}
