import { GitCompareArrows } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import { listRuns } from '../../../../../src/operations/runs/runs.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { TextField } from '../../../kit/fields.tsx';
import { runState, StateIcon } from '../../../kit/state-badge.tsx';
import { Time } from '../../../kit/time.tsx';

interface CompareDialogProps {
  readonly run: RunDetail;
  readonly onClose: () => void;
}

const OFFERED = 50;
const SHOWN = 12;

/** With which run? The one it was forked from first, then those that were asked the same, then the newest of its agent. */
export function CompareDialog({ run, onClose }: CompareDialogProps) {
  const [, navigate] = useLocation();
  const [id, setId] = useState('');
  const newest = useRead(listRuns, { query: { limit: OFFERED, agent_id: run.agent_id } });
  const rank = (other: { readonly id: string; readonly message: string }) =>
    other.id === run.forked_from?.run_id ? 0 : other.message === run.message ? 1 : 2;
  const offered = (newest.data?.runs ?? [])
    .filter((other) => other.id !== run.id)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() !== '') navigate(`/runs/compare?a=${run.id}&b=${encodeURIComponent(id.trim())}`);
  };
  return (
    <Dialog title="Compare with" onClose={onClose}>
      <form onSubmit={submit} className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField label="Id of the other run" placeholder="run_…" value={id} onChange={setId} />
        </div>
        <div className="mb-4">
          <Button type="submit" kind="primary" icon={GitCompareArrows} disabled={id.trim() === ''}>
            Compare
          </Button>
        </div>
      </form>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {offered.map((other) => (
          <li key={other.id}>
            <Link
              href={`/runs/compare?a=${run.id}&b=${other.id}`}
              className="flex items-center gap-2 px-3 py-2 text-sm hover:bg-sunken"
            >
              <StateIcon state={runState(other.status)} label={other.status} />
              <span className="min-w-0 flex-1 truncate">{other.message}</span>
              <span className="shrink-0 text-muted">
                <Time at={other.created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
