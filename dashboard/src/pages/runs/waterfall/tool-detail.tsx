import { InlineApproval } from '../../../kit/approvals/inline-approval.tsx';
import { Json } from '../../../kit/code-block.tsx';
import { Id } from '../../../kit/copy.tsx';
import { formatDuration } from '../../../kit/format.ts';
import { Time } from '../../../kit/time.tsx';
import { durationOf, type ToolSpan, waitedMs } from '../timeline/span.ts';
import { Facts, Go, Part } from './detail-parts.tsx';

export function ToolDetail({ span, nowMs }: { readonly span: ToolSpan; readonly nowMs: number }) {
  const waited = waitedMs(span, nowMs);
  return (
    <>
      <Facts
        facts={[
          ['Duration', formatDuration(durationOf(span, nowMs))],
          ['Waited', waited === 0 ? undefined : formatDuration(waited)],
          ['Effect', span.effect === 'write' ? 'changes something' : span.effect && 'only reads'],
          [
            'Time allowed',
            span.timeoutMs === undefined ? undefined : formatDuration(span.timeoutMs),
          ],
          ['Answered', span.isFromCache ? 'from what the same call came to before' : undefined],
          ['Carried out', span.isByClient ? 'by whoever made the run' : undefined],
          ['Made by', originOf(span)],
          [
            'Taken up again',
            span.resumptions === 0 ? undefined : `${span.resumptions}×, after a crash`,
          ],
          ['Request', span.requestId && <Id key="id" value={span.requestId} />],
        ]}
      />
      <Asked span={span} />
      {span.refusal === undefined ? null : (
        <Part title="Refused by policy">
          <p className="break-words">{span.refusal}</p>
        </Part>
      )}
      {span.error === undefined ? null : (
        <Part title="Error">
          <p className="rounded-md bg-bad-soft p-2 break-words">
            <code>{span.error.code}</code> {span.error.message}
            <span className="block text-muted">
              {span.error.isRetryable ? 'Trying again may help.' : 'The same again fails again.'}
            </span>
          </p>
          {span.error.details === undefined ? null : (
            <div className="mt-2">
              <Json value={span.error.details} />
            </div>
          )}
        </Part>
      )}
      <Part title="Arguments">
        <Json value={span.input} />
      </Part>
      {span.output === undefined ? null : (
        <Part title="Output">
          {span.summary === '' ? null : (
            <p className="mb-1 break-words text-muted">{span.summary}</p>
          )}
          <Json value={span.output} />
        </Part>
      )}
      {span.runIds.length === 0 ? null : (
        <Part title="Other runs it names">
          <ul>
            {span.runIds.map((id) => (
              <li key={id}>
                <Go to={`/runs/${id}`}>{id}</Go>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

function originOf({ origin }: ToolSpan): string | undefined {
  if (origin === 'tools_execute') return 'a caller, in the name of the run';
  return origin === 'openclaw' ? 'the agent, where it lives' : origin;
}

/** The question to a person and what came of it. */
function Asked({ span: { approval, state } }: { readonly span: ToolSpan }) {
  if (approval === undefined) return null;
  const { answer } = approval;
  if (answer === undefined && state === 'waiting') {
    return (
      <Part title="Approval">
        <InlineApproval id={approval.id} />
      </Part>
    );
  }
  return (
    <Part title="Approval">
      <p className="break-words">{approval.reason}</p>
      <p className="text-muted">
        Asked <Time at={new Date(approval.askedMs).toISOString()} />
        {answer === undefined ? null : (
          <>
            {', '}
            {answer.status}
            {answer.by === undefined ? '' : ` by ${answer.by}`} after{' '}
            {formatDuration(answer.atMs - approval.askedMs)}
          </>
        )}
      </p>
      {answer?.note === undefined ? null : <p className="break-words">“{answer.note}”</p>}
    </Part>
  );
}
