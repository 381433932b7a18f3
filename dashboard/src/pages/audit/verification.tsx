import { ShieldCheck, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { watchVerification } from '../../../../src/operations/audit/audit.ts';
import type { AuditVerdictShape } from '../../../../src/operations/audit/audit-shapes.ts';
import { encodeRequest } from '../../../../src/operations/client.ts';
import { parseEventStream } from '../../../../src/operations/parse-event-stream.ts';
import { readBytes } from '../../api/read-bytes.ts';
import { ask } from '../../api/send.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { formatCount } from '../../kit/format.ts';
import { Card } from '../../kit/page.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';

interface Progress {
  readonly runs_count: number;
  readonly events_count: number;
  readonly total_runs_count: number;
}

type Check =
  | { readonly state: 'idle' }
  | { readonly state: 'checking'; readonly progress?: Progress }
  | { readonly state: 'done'; readonly verdict: AuditVerdictShape }
  | { readonly state: 'failed'; readonly error: unknown };

/** Recomputes all chains and signatures while one watches. Leaving the page ends it. */
export function Verification() {
  const [check, setCheck] = useState<Check>({ state: 'idle' });
  const end = useRef<AbortController>(undefined);
  useEffect(() => () => end.current?.abort(), []);
  const start = () => {
    end.current = new AbortController();
    setCheck({ state: 'checking' });
    void verify(end.current.signal, setCheck).catch((error: unknown) => {
      setCheck(
        end.current?.signal.aborted === true ? { state: 'idle' } : { state: 'failed', error },
      );
    });
  };
  return (
    <Card className="mb-6 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1">
          <Told check={check} />
        </div>
        {check.state === 'checking' ? (
          <Button icon={Square} onClick={() => end.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button icon={ShieldCheck} onClick={start}>
            Verify
          </Button>
        )}
      </div>
      {check.state === 'failed' ? <ErrorNote error={check.error} onRetry={start} /> : null}
      {check.state === 'done' ? <Faults verdict={check.verdict} /> : null}
    </Card>
  );
}

async function verify(signal: AbortSignal, show: (check: Check) => void): Promise<void> {
  const request = encodeRequest(watchVerification, { query: {} });
  const headers = { ...request.headers, accept: 'text/event-stream' };
  const response = await ask({ ...request, headers }, signal);
  for await (const frames of parseEventStream(readBytes(response))) {
    for (const { event, data } of frames) {
      if (event === 'progress') show({ state: 'checking', progress: JSON.parse(data) as Progress });
      if (event === 'done')
        return show({ state: 'done', verdict: JSON.parse(data) as AuditVerdictShape });
    }
  }
  throw new Error('The check broke off before its end.');
}

function Told({ check }: { readonly check: Check }) {
  if (check.state === 'idle')
    return <p className="text-muted">Check that no record was altered since it was written.</p>;
  if (check.state === 'failed') return <p>The check did not come to its end.</p>;
  if (check.state === 'checking') return <Bar progress={check.progress} />;
  const { verified, complete, events_count, audit_lines_count, signatures } = check.verdict;
  const words = verified
    ? 'nothing was altered'
    : complete
      ? 'records were altered'
      : 'not all was checked';
  return (
    <div role="status">
      <StateBadge state={verified ? 'ok' : 'bad'}>{words}</StateBadge>
      <p className="mt-1 text-sm text-muted">
        {`${formatCount(events_count)} events, ${formatCount(audit_lines_count)} lines of audit files, ${formatCount(signatures?.heads_count ?? 0)} signatures.`}
      </p>
    </div>
  );
}

function Bar({ progress }: { readonly progress: Progress | undefined }) {
  const { runs_count = 0, events_count = 0, total_runs_count = 0 } = progress ?? {};
  return (
    <div role="status">
      <label className="text-sm">
        {`Checking… ${formatCount(runs_count)} of ${formatCount(total_runs_count)} runs, ${formatCount(events_count)} events`}
        <progress
          className="mt-1 block h-1.5 w-full max-w-md accent-accent"
          max={Math.max(1, total_runs_count)}
          value={runs_count}
        />
      </label>
    </div>
  );
}

function Faults({ verdict: { faults, faults_count } }: { readonly verdict: AuditVerdictShape }) {
  if (faults.length === 0) return null;
  return (
    <ul className="mt-3 space-y-1 border-t border-line pt-3 text-sm">
      {faults.map(({ where, run_id, seq, reason, file, line }) => (
        <li key={`${where}${run_id}${seq}${file}${line}`} className="break-words">
          {run_id === null ? null : (
            <Link href={`/runs/${run_id}`} className="text-accent-ink hover:underline">
              {run_id}
            </Link>
          )}{' '}
          {`${seq === null ? '' : `event ${seq}: `}${reason}${file === null ? '' : ` (${file}:${line ?? '?'})`}`}
        </li>
      ))}
      {faults_count > faults.length ? (
        <li>{`and ${formatCount(faults_count - faults.length)} more`}</li>
      ) : null}
    </ul>
  );
}
