import type { ProjectStatusShape } from '../../../../src/operations/projects/project-shapes.ts';
import { type State, StateBadge } from '../../kit/state-badge.tsx';

type Overall = ProjectStatusShape['overall_status'];

const SHOWN: Readonly<Record<Overall, readonly [State, string]>> = {
  idle: ['off', 'idle'],
  in_progress: ['busy', 'in progress'],
  done: ['ok', 'done'],
};

export function OverallBadge({ status }: { readonly status: Overall }) {
  const [state, words] = SHOWN[status];
  return <StateBadge state={state}>{words}</StateBadge>;
}
