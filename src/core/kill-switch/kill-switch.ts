import type { Clock } from '../clock.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import { createFreshValue } from '../fresh-value.ts';
import type { Logger } from '../log.ts';
import type { Redactor } from '../redact/redact.ts';
import { repeat } from '../repeat.ts';
import type { KillSwitchChange, KillSwitchStore, TurnSwitch } from './stored-kill-switch.ts';

/** One switch for all nodes: while it is on, no model and no tool is called anywhere. */
export interface KillSwitch {
  /** The newest change, or undefined when nobody ever touched it. */
  read(): Promise<KillSwitchChange | undefined>;
  /** Newest first. */
  history(limit: number): Promise<readonly KillSwitchChange[]>;
  /** On or off. The same again changes nothing. */
  turn(request: TurnSwitch): Promise<KillSwitchChange>;
}

/** The switch as those ask who are about to do something. */
export interface SwitchWatch {
  isOn(): Promise<boolean>;
  /** Throws while the switch is on, and when nobody can tell. */
  assertOff(): Promise<void>;
  /** Calls back as soon as the switch is found on; the returned function takes that back. */
  whileOff(onStop: (stopped: RuntimeError) => void): () => void;
  start(): void;
  stop(): void;
}

export interface KillSwitchDeps {
  readonly store: KillSwitchStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
}

/** Nothing begins on the strength of an older look: with what lies between look and call, well within a second. */
const MAX_AGE_MS = 250;
/** How often it is looked at for those whom it would interrupt. While there are none, nobody looks. */
const POLL_MS = 250;

export function createKillSwitch(deps: KillSwitchDeps): KillSwitch & SwitchWatch {
  const listeners = new Set<(stopped: RuntimeError) => void>();
  const newest = createFreshValue({ ...deps, maxAgeMs: MAX_AGE_MS, look: () => readNewest(deps) });
  let stop = () => {};

  function tell(change: KillSwitchChange | undefined): void {
    if (!change?.isOn) return;
    for (const onStop of [...listeners]) onStop(stopped(change));
  }

  async function look(): Promise<void> {
    if (listeners.size === 0) return;
    try {
      tell(await newest.get());
    } catch (thrown) {
      deps.logger.debug({ code: toRuntimeError(thrown).code }, 'could not look at the kill switch');
    }
  }

  return {
    read: () => readNewest(deps),
    history: (limit) => deps.store.list(limit),

    async turn({ isOn, actor, reason }) {
      const change = await deps.store.turn({
        ...{ isOn, actor },
        reason: deps.redactor.redactText(reason),
      });
      newest.forget();
      tell(change);
      const { no, reason: why } = change;
      deps.logger.warn({ no, actor, reason: why }, isOn ? 'all work is stopped' : 'work goes on');
      return change;
    },

    isOn: async () => (await newest.get())?.isOn ?? false,

    async assertOff() {
      const change = await newest.get();
      // Nothing was asked of anybody, so it has cost nothing.
      if (change?.isOn) throw stopped(change, { unreachable: true });
    },

    whileOff(onStop) {
      listeners.add(onStop);
      return () => listeners.delete(onStop);
    },

    start() {
      stop = repeat(deps.clock, POLL_MS, look);
    },
    stop: () => stop(),
  };
}

async function readNewest({ store }: KillSwitchDeps): Promise<KillSwitchChange | undefined> {
  return (await store.list(1))[0];
}

/** What names the switch in an error: everybody else who is shutting down will be back by himself. */
const KILL_SWITCH_PART = 'kill_switch';

/** Whether the switch is why something was refused. */
export function isStopped({ details }: Pick<RuntimeError, 'details'>): boolean {
  return details?.['part'] === KILL_SWITCH_PART;
}

function stopped({ reason, actor }: KillSwitchChange, details: object = {}): RuntimeError {
  const why = reason === '' ? '' : `: ${reason}`;
  return new RuntimeError(
    'shutting_down',
    `all work is stopped by ${actor}${why}; claw resume-all lets it go on`,
    {
      // Somebody has to turn it off first.
      retryable: false,
      details: {
        ...details,
        part: KILL_SWITCH_PART,
        recovery_action:
          'Run claw resume-all, or DELETE /api/admin/kill-switch, when work may go on.',
      },
    },
  );
}
