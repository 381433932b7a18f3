import type { Tool } from '../tools/tool.ts';
import type { Decision } from './decision.ts';
import { PERMISSION_MODES, type PermissionMode } from './permission-mode.ts';

/** What a tool needs when it does not say: reading is harmless, writing may reach anywhere. */
export function requiredMode(tool: Tool): PermissionMode {
  return tool.requires ?? (tool.effect === 'read' ? 'read-only' : 'full');
}

export function judgeMode(tool: Tool, mode: PermissionMode): Decision {
  const needed = requiredMode(tool);
  if (PERMISSION_MODES.indexOf(needed) <= PERMISSION_MODES.indexOf(mode)) {
    return { decision: 'allow', reason: 'mode_sufficient' };
  }
  return {
    decision: 'deny',
    reason: 'mode_insufficient',
    message: `${tool.name} needs permission mode ${needed}, and policy.mode is ${mode}`,
  };
}
