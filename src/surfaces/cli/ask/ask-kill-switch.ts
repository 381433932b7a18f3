import type {
  KillSwitchReading,
  KillSwitchWriting,
} from '../../../operations/kill-switch/kill-switch.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, fromStore, type Place } from './place.ts';

const KILL_SWITCH: Place<KillSwitchReading, KillSwitchWriting> = {
  read: fromStore((store) => ({
    killSwitch: { history: async (limit) => (await store?.killSwitch.list(limit)) ?? [] },
  })),
  write: fromRuntime(({ killSwitch }) => ({ killSwitch })),
};

export const askKillSwitch = askAt(KILL_SWITCH);
