import type { ToolEffect } from '../tools/tool.ts';

/**
 * `off`: calls go straight to the handler. `shadow`: they still do, and what the layer would have done is reported.
 * `read_only`: tools without effects are guarded. `all`: every tool is.
 */
export type ReliabilityMode = 'off' | 'shadow' | 'read_only' | 'all';

export const RELIABILITY_MODES = ['off', 'shadow', 'read_only', 'all'] as const;

/**
 * The mode that holds, given the kill switch `TOOL_RELIABILITY_ENABLED` and the configured mode. The switch may also
 * name a mode. One that cannot be read changes nothing: a typing slip must not take guards away.
 */
export function resolveMode(
  flag: string | undefined,
  configured: ReliabilityMode,
): ReliabilityMode {
  const text = flag?.trim().toLowerCase() ?? '';
  if (text === 'false' || text === '0' || text === 'no') return 'off';
  if (text === 'true' || text === '1' || text === 'yes') {
    return configured === 'off' ? 'all' : configured;
  }
  return RELIABILITY_MODES.find((mode) => mode === text) ?? configured;
}

/** Whether a mode guards calls of a tool with this effect. Shadow guards nothing. */
export function isGuarded(mode: ReliabilityMode, effect: ToolEffect): boolean {
  return mode === 'all' || (mode === 'read_only' && effect === 'read');
}
