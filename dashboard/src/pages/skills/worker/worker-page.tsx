import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { WorkerShape } from '../../../../../src/operations/workers/worker-shapes.ts';
import { getWorker, stopWorker } from '../../../../../src/operations/workers/workers.ts';
import { useRead, useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { CopyButton, Id } from '../../../kit/copy.tsx';
import { toCurl } from '../../../kit/curl.ts';
import { Confirm } from '../../../kit/dialog.tsx';
import { formatCount, formatDuration } from '../../../kit/format.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Card, Page } from '../../../kit/page.tsx';
import { Time } from '../../../kit/time.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { HeartbeatBadge, isLive, WorkerBadge } from './worker-state.tsx';

const REFRESH_MS = 5_000;

export function WorkerPage({ workerId }: { readonly workerId: string }) {
  const input = { params: { worker_id: workerId } };
  const worker = useRead(getWorker, input, { everyMs: REFRESH_MS });
  return (
    <Page
      title={workerId}
      lead={
        <Link href="/skills/workers" className="hover:underline">
          All workers
        </Link>
      }
      actions={
        <>
          <CopyButton text={toCurl(getWorker, input)} label="Copy as curl" />
          {worker.data !== undefined && isLive(worker.data) ? (
            <StopButton worker={worker.data} />
          ) : null}
        </>
      }
    >
      <Loaded query={worker}>{(found) => <Facts worker={found} />}</Loaded>
    </Page>
  );
}

function Facts({ worker }: { readonly worker: WorkerShape }) {
  const facts = [
    ['State', <WorkerBadge key="state" status={worker.status} />],
    ['Heartbeat', <HeartbeatBadge key="heartbeat" worker={worker} />],
    ['May be silent for', formatDuration(worker.heartbeat_stale_after_ms)],
    ['Owner', worker.owner],
    ['Adapter', worker.adapter],
    ['Command', worker.command ?? '–'],
    ['Workspace', worker.workspace_ref ?? '–'],
    ['Requests so far', formatCount(worker.requests_count)],
    ['Events so far', formatCount(worker.latest_seq)],
    ['Started', <Time key="started" at={worker.started_at} />],
    ['Stopped', <Time key="stopped" at={worker.stopped_at} />],
    ['Last heard of', <Time key="heard" at={worker.last_heartbeat_at} empty="never" />],
    ['Id', <Id key="id" value={worker.worker_id} chars={32} />],
  ] as const;
  return (
    <Card>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function StopButton({ worker }: { readonly worker: WorkerShape }) {
  const [isAsking, setIsAsking] = useState(false);
  const stop = useWrite(stopWorker, {
    onDone() {
      setIsAsking(false);
      toast('It is stopped.');
    },
  });
  const params = { worker_id: worker.worker_id };
  return (
    <>
      <Button kind="danger" icon={CircleStop} onClick={() => setIsAsking(true)}>
        Stop
      </Button>
      {isAsking ? (
        <Confirm
          title={`Stop ${worker.worker_id}?`}
          action="Stop"
          write={stop}
          onConfirm={() => stop.mutate({ params, body: null })}
          onClose={() => setIsAsking(false)}
        >
          Its program ends. Requests that are open are answered as of unknown outcome.
        </Confirm>
      ) : null}
    </>
  );
}
