import { Check, CheckCheck, X } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'wouter';
import type { ApprovalShape } from '../../../../src/operations/approvals/approval-shapes.ts';
import { approveCall, denyCall } from '../../../../src/operations/approvals/approvals.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Button } from '../button.tsx';
import { copyAndTell } from '../copy.tsx';
import { toCurl } from '../curl.ts';
import { ErrorNote } from '../error-note.tsx';
import { TextInput } from '../fields.tsx';
import { Menu } from '../menu.tsx';
import { StateIcon } from '../state-badge.tsx';
import { Time } from '../time.tsx';
import { ApprovalChange } from './approval-change.tsx';
import { TimeLeft } from './time-left.tsx';

interface ApprovalCardProps {
  readonly approval: ApprovalShape;
  /** In the conversation it belongs to nobody needs to be led there. */
  readonly isInChat?: boolean;
}

/** One question of an agent: who asks, what exactly, which rule, what it would change, how long there is. */
export function ApprovalCard({ approval, isInChat = false }: ApprovalCardProps) {
  const heading = useId();
  return (
    <article
      aria-labelledby={heading}
      className="overflow-hidden rounded-lg border border-wait/50 bg-surface"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-wait-soft px-3 py-2 text-sm">
        <StateIcon state="wait" label="Waits for you" />
        <h3 id={heading} className="min-w-0 flex-1 break-words">
          <b>{approval.agent_id}</b> wants to use <code>{approval.tool}</code>
        </h3>
        {approval.status === 'pending' ? <TimeLeft until={approval.expires_at} /> : null}
        <MoreToDo approval={approval} />
      </header>
      <div className="space-y-3 p-3">
        <p className="text-sm break-words text-muted">
          {sentence(approval.reason)} Asked <Time at={approval.created_at} />
          {isInChat ? null : <Whence approval={approval} />}.
        </p>
        <ApprovalChange approval={approval} />
        {approval.status === 'pending' ? (
          <Decide approval={approval} />
        ) : (
          <p className="text-sm">
            It was {approval.status}
            {approval.decided_by === null ? '' : ` by ${approval.decided_by}`}.
          </p>
        )}
      </div>
    </article>
  );
}

function Whence({ approval }: { readonly approval: ApprovalShape }) {
  return (
    <>
      {' in '}
      {approval.session_id === null ? null : (
        <>
          <Link href={`/chat/${approval.session_id}`} className="underline underline-offset-2">
            this conversation
          </Link>
          {', '}
        </>
      )}
      <Link href={`/runs/${approval.run_id}`} className="underline underline-offset-2">
        run {approval.run_id.slice(-6)}
      </Link>
    </>
  );
}

function MoreToDo({ approval }: { readonly approval: ApprovalShape }) {
  const input = { params: { approval_id: approval.id }, body: null };
  const copy = (text: string) => void copyAndTell(text);
  return (
    <Menu
      label="More about this question"
      items={[
        { label: 'Copy as curl: approve', onSelect: () => copy(toCurl(approveCall, input)) },
        { label: 'Copy as curl: deny', onSelect: () => copy(toCurl(denyCall, input)) },
        { label: 'Copy its id', onSelect: () => copy(approval.id) },
      ]}
    />
  );
}

function Decide({ approval }: { readonly approval: ApprovalShape }) {
  const [note, setNote] = useDraft(`approval.${approval.id}`);
  const changes = ['sessions', 'status', 'config'];
  const onDone = () => setNote('');
  const approve = useWrite(approveCall, { changes, onDone });
  const deny = useWrite(denyCall, { changes, onDone });
  const params = { approval_id: approval.id };
  const told = note.trim() === '' ? {} : { note: note.trim() };
  const isBusy = approve.isPending || deny.isPending;
  const error = approve.error ?? deny.error;
  return (
    <div className="space-y-2">
      {error === null ? null : <ErrorNote error={error} />}
      <TextInput
        aria-label="A note with your answer"
        placeholder="A note with your answer (optional)"
        value={note}
        maxLength={500}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          kind="primary"
          icon={Check}
          isBusy={approve.isPending}
          disabled={isBusy}
          onClick={() => approve.mutate({ params, body: told })}
        >
          Approve once
        </Button>
        {approval.always === null ? null : (
          <Button
            icon={CheckCheck}
            disabled={isBusy}
            onClick={() => approve.mutate({ params, body: { ...told, always: true } })}
          >
            Always allow this
          </Button>
        )}
        <Button
          kind="danger"
          icon={X}
          isBusy={deny.isPending}
          disabled={isBusy}
          onClick={() => deny.mutate({ params, body: told })}
        >
          Deny
        </Button>
      </div>
      <p className="text-xs break-words text-muted">
        {approval.always === null ? (
          'No rule can say this once and for all, so it is asked each time.'
        ) : (
          <>
            {`Always: ${approval.always}. It can be taken back under `}
            <Link href="/tools/grants#standing" className="underline underline-offset-2">
              Tools, Standing answers
            </Link>
            .
          </>
        )}
      </p>
    </div>
  );
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
