import type { WorkerShape } from '../../../../../src/operations/workers/worker-shapes.ts';
import { formatDuration } from '../../../kit/format.ts';
import { type State, StateBadge } from '../../../kit/state-badge.tsx';

const STATES: Readonly<Record<string, State>> = {
  starting: 'busy',
  running: 'ok',
  stopping: 'wait',
  stopped: 'off',
  failed: 'bad',
};

export function WorkerBadge({ status }: { readonly status: WorkerShape['status'] }) {
  return <StateBadge state={STATES[status] ?? 'off'}>{status}</StateBadge>;
}

const HEARTBEATS: Readonly<Record<WorkerShape['heartbeat_state'], State>> = {
  fresh: 'ok',
  stale: 'wait',
  missing: 'wait',
  stopped: 'off',
  failed: 'bad',
};

/** How long ago it was heard of, against how long it may be silent. */
export function HeartbeatBadge({ worker }: { readonly worker: WorkerShape }) {
  const { heartbeat_state: state, heartbeat_age_ms: ageMs } = worker;
  const age = ageMs === null || state === 'stopped' ? '' : `, ${formatDuration(ageMs)} ago`;
  return <StateBadge state={HEARTBEATS[state]}>{`${state}${age}`}</StateBadge>;
}

export function isLive({ status }: Pick<WorkerShape, 'status'>): boolean {
  return status !== 'stopped' && status !== 'failed';
}
