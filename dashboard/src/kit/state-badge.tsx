import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import { classNames } from './class-names.ts';

/** Five states, told by colour and by shape. Whatever has a state of its own is mapped to one of them. */
export type State = 'ok' | 'busy' | 'wait' | 'bad' | 'off';

const SHAPES: Readonly<Record<State, LucideIcon>> = {
  ok: CircleCheck,
  busy: LoaderCircle,
  wait: Hourglass,
  bad: CircleX,
  off: CircleDashed,
};

const COLOURS: Readonly<Record<State, string>> = {
  ok: 'text-ok bg-ok-soft',
  busy: 'text-busy bg-busy-soft',
  wait: 'text-wait bg-wait-soft',
  bad: 'text-bad bg-bad-soft',
  off: 'text-off bg-off-soft',
};

const INKS: Readonly<Record<State, string>> = {
  ok: 'text-ok',
  busy: 'text-busy',
  wait: 'text-wait',
  bad: 'text-bad',
  off: 'text-off',
};

export function StateBadge({
  state,
  children,
}: {
  readonly state: State;
  readonly children: string;
}) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        COLOURS[state],
      )}
    >
      <StateShape state={state} />
      {children}
    </span>
  );
}

/** Where there is no room for the word: `label` is read aloud and shown on hover. */
export function StateIcon({ state, label }: { readonly state: State; readonly label: string }) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={classNames('inline-flex', INKS[state])}
    >
      <StateShape state={state} />
    </span>
  );
}

function StateShape({ state }: { readonly state: State }) {
  const Shape = SHAPES[state];
  const motion = state === 'busy' && 'animate-spin';
  return <Shape aria-hidden className={classNames('size-3.5 shrink-0', motion)} />;
}

const RUN_STATES: Readonly<Record<string, State>> = {
  queued: 'off',
  running: 'busy',
  waiting: 'wait',
  cancelling: 'wait',
  completed: 'ok',
  failed: 'bad',
  cancelled: 'off',
};

export function runState(status: string): State {
  return RUN_STATES[status] ?? 'off';
}

export function RunBadge({ status }: { readonly status: string }) {
  return <StateBadge state={runState(status)}>{status}</StateBadge>;
}
