import { put } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, defineWrite } from '../store/write.ts';

/** Somebody turned the switch. All changes are kept: they are its audit. */
export interface KillSwitchChange {
  /** Counts up by one. */
  readonly no: number;
  readonly isOn: boolean;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
}

export interface TurnSwitch {
  readonly isOn: boolean;
  readonly reason: string;
  /** Who did it, for the record. */
  readonly actor: string;
}

export interface KillSwitchStore {
  /** Newest first; the first one says how the switch stands. */
  list(limit: number): Promise<KillSwitchChange[]>;
  /** Answers with how it stands then: what is so already is not changed again. */
  turn(request: TurnSwitch): Promise<KillSwitchChange>;
}

export const KILL_SWITCH_CHANGES = collection<KillSwitchChange>()('kill_switch_changes', 'no');
export const NEWEST_SWITCH_CHANGES = query<{ readonly limit: number }, KillSwitchChange>(
  'kill_switch.newest',
);

const turn = defineWrite({
  name: 'kill_switch.turn',
  locks: (_: TurnSwitch) => ['kill_switch'],
  needs: () => ({ newest: ask(NEWEST_SWITCH_CHANGES, { limit: 1 }) }),
  decide({ newest: [latest] }, { isOn, reason, actor }, nowMs) {
    const isSo = latest?.isOn === isOn && (!isOn || latest.reason === reason);
    if (latest && isSo) return answer(latest);
    const change = { no: (latest?.no ?? 0) + 1, isOn, reason, actor, atMs: nowMs };
    return { value: change, changes: [put(KILL_SWITCH_CHANGES, change)] };
  },
});

export const KILL_SWITCH_WRITES = { turn };

export function createKillSwitchStore({ load, write }: Tables): KillSwitchStore {
  return {
    list: (limit) => load(ask(NEWEST_SWITCH_CHANGES, { limit })),
    turn: (request) => write(turn, request),
  };
}
