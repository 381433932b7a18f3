import {
  Ban,
  GitCompareArrows,
  GitFork,
  Link as LinkIcon,
  RotateCcw,
  Terminal,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { isTerminal } from '../../../../../src/core/runs/run.ts';
import { streamEvents } from '../../../../../src/operations/runs/run-events.ts';
import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import { getRun } from '../../../../../src/operations/runs/runs.ts';
import type { RunEvent } from '../../../api/use-run-events.ts';
import { Button } from '../../../kit/button.tsx';
import { copyAndTell } from '../../../kit/copy.tsx';
import { toCurl } from '../../../kit/curl.ts';
import { Menu } from '../../../kit/menu.tsx';
import { findForkPoints } from '../detail/fork-points.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { ForkDialog } from './fork-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

interface RunActionsProps {
  readonly run: RunDetail;
  readonly events: readonly RunEvent[];
}

type Opened = 'cancel' | 'replay' | 'fork' | 'compare';

/** What can be done with a run: stopped while it goes on, played again and gone on from once it has ended. */
export function RunActions({ run, events }: RunActionsProps) {
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const hasEnded = isTerminal(run.status);
  return (
    <>
      {hasEnded ? (
        <>
          <Button icon={RotateCcw} onClick={() => setOpened('replay')}>
            Replay
          </Button>
          <Button icon={GitFork} onClick={() => setOpened('fork')}>
            Fork
          </Button>
        </>
      ) : (
        <Button
          kind="danger"
          icon={Ban}
          disabled={run.status === 'cancelling'}
          onClick={() => setOpened('cancel')}
        >
          {run.status === 'cancelling' ? 'Stopping …' : 'Cancel'}
        </Button>
      )}
      <Button icon={GitCompareArrows} onClick={() => setOpened('compare')}>
        Compare
      </Button>
      <CopyMenu runId={run.id} />
      {opened === 'cancel' ? <CancelDialog runId={run.id} onClose={close} /> : null}
      {opened === 'replay' ? <ReplayDialog runId={run.id} onClose={close} /> : null}
      {opened === 'compare' ? <CompareDialog run={run} onClose={close} /> : null}
      {opened === 'fork' ? <Fork run={run} events={events} onClose={close} /> : null}
    </>
  );
}

/** Looks through the events when somebody wants to fork, and not with each that comes. */
function Fork({ run, events, onClose }: RunActionsProps & { readonly onClose: () => void }) {
  const points = useMemo(() => findForkPoints(events), [events]);
  return <ForkDialog run={run} points={points} onClose={onClose} />;
}

function CopyMenu({ runId }: { readonly runId: string }) {
  const params = { run_id: runId };
  const copy = (text: string, what: string) => void copyAndTell(text, what);
  return (
    <Menu
      label="Copy and more"
      items={[
        { label: 'Copy id', icon: LinkIcon, onSelect: () => copy(runId, 'The id') },
        { label: 'Copy link', icon: LinkIcon, onSelect: () => copy(location.href, 'The link') },
        {
          label: 'Copy as curl',
          icon: Terminal,
          onSelect: () => copy(toCurl(getRun, { params }), 'The command'),
        },
        {
          label: 'Copy events as curl',
          icon: Terminal,
          onSelect: () => copy(toCurl(streamEvents, { params }), 'The command'),
        },
      ]}
    />
  );
}
