import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect } from 'react';
import type { ReplayShape } from '../../../../../src/operations/runs/replay-shapes.ts';
import { replayRun } from '../../../../../src/operations/runs/replays.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Json } from '../../../kit/code-block.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Diff } from '../../../kit/diff.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Skeleton } from '../../../kit/loaded.tsx';

interface ReplayDialogProps {
  readonly runId: string;
  readonly onClose: () => void;
}

/** Plays the run again from its log, and says whether it came out the same. */
export function ReplayDialog({ runId, onClose }: ReplayDialogProps) {
  const { mutate, data, error } = useWrite(replayRun);
  const replay = () => mutate({ params: { run_id: runId } });
  useEffect(() => mutate({ params: { run_id: runId } }), [mutate, runId]);
  return (
    <Dialog title="Replay" size="large" onClose={onClose}>
      <p className="mb-4 text-muted">
        The loop runs again over the log: models, tools, clocks and people answer from its events.
        Nothing is called and nothing is written.
      </p>
      {error === null ? null : <ErrorNote error={error} onRetry={replay} />}
      {data === undefined && error === null ? <Skeleton rows={2} /> : null}
      {data === undefined ? null : <Outcome replay={data} />}
    </Dialog>
  );
}

function Outcome({ replay }: { readonly replay: ReplayShape }) {
  const { equal, matched_events: matched, divergence } = replay;
  if (equal || divergence === null) {
    return (
      <p role="status" className="flex items-start gap-2 rounded-lg bg-ok-soft px-3 py-2">
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" />
        The same came of it: all {formatCount(matched)} events that the loop makes are as they are
        on record.
      </p>
    );
  }
  const { recorded, replayed, seq } = divergence;
  return (
    <div className="space-y-3">
      <p role="status" className="flex items-start gap-2 rounded-lg bg-bad-soft px-3 py-2">
        <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
        <span>
          It came out differently at event {seq}, after {formatCount(matched)} that are the same.
          {recorded === null ? ' The record was over by then.' : ''}
          {replayed === null ? ' The loop had nothing more to do.' : ''}
        </span>
      </p>
      {recorded !== null && replayed !== null ? (
        <Diff name={`event ${seq}`} before={toText(recorded)} after={toText(replayed)} />
      ) : (
        <Json value={recorded ?? replayed} />
      )}
    </div>
  );
}

function toText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
