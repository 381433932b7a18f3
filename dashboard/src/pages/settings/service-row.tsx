import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../kit/button.tsx';
import { type State, StateBadge } from '../../kit/state-badge.tsx';

const STATES: Readonly<Record<string, State>> = {
  connected: 'ok',
  review: 'wait',
  disconnected: 'off',
};

interface ServiceRowProps {
  readonly name: string;
  /** What it said when it was asked, or why it was not. */
  readonly status: string;
  readonly isAsking: boolean;
  readonly canBeAsked?: boolean;
  readonly onTest: () => void;
  readonly children: ReactNode;
}

/** Something outside that is asked on a press whether it is there and takes its key. */
export function ServiceRow(props: ServiceRowProps) {
  const { name, status, isAsking, canBeAsked = true, onTest, children } = props;
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name} <StateBadge state={STATES[status] ?? 'off'}>{status}</StateBadge>
        </p>
        {children}
      </div>
      <Button
        size="small"
        icon={FlaskConical}
        isBusy={isAsking}
        disabled={!canBeAsked}
        onClick={onTest}
      >
        {`Test ${name}`}
      </Button>
    </li>
  );
}

export function ServiceList({ children }: { readonly children: ReactNode }) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">{children}</ul>
  );
}
