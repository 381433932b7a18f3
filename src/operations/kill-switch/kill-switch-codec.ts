import { toIso } from '../../core/clock.ts';
import type { KillSwitchChange } from '../../core/kill-switch/stored-kill-switch.ts';
import type { KillSwitchShape, KillSwitchStateShape } from './kill-switch-shapes.ts';

export function encodeSwitchState(newest: KillSwitchChange | undefined): KillSwitchStateShape {
  return newest === undefined
    ? { on: false, reason: '', by: null, changed_at: null }
    : encodeChange(newest);
}

export function encodeKillSwitch(changes: readonly KillSwitchChange[]): KillSwitchShape {
  return { ...encodeSwitchState(changes[0]), history: changes.map(encodeChange) };
}

function encodeChange({ isOn, reason, actor, atMs }: KillSwitchChange) {
  return { on: isOn, reason, by: actor, changed_at: toIso(atMs) };
}
