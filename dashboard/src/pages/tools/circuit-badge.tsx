import type { CircuitShape } from '../../../../src/operations/tools/tool-shapes.ts';
import { formatDuration } from '../../kit/format.ts';
import { type State, StateBadge } from '../../kit/state-badge.tsx';

const WORDS: Readonly<Record<CircuitShape['status'], readonly [State, string]>> = {
  closed: ['ok', 'works'],
  open: ['bad', 'cut off'],
  half_open: ['wait', 'being tried'],
  forced_open: ['bad', 'cut off by an operator'],
};

/** Closed lets calls through: a word that nobody has to know at 3 a.m. */
export function CircuitBadge({ circuit }: { readonly circuit: CircuitShape }) {
  const [state, words] = WORDS[circuit.status];
  const wait =
    circuit.retry_in_ms === null ? '' : `, next try in ${formatDuration(circuit.retry_in_ms)}`;
  return <StateBadge state={state}>{`${words}${wait}`}</StateBadge>;
}

export function isCut({ status }: CircuitShape): boolean {
  return status !== 'closed';
}
