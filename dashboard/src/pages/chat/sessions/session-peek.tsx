import { SendHorizontal } from 'lucide-react';
import type { ListedSessionShape } from '../../../../../src/operations/sessions/session-shapes.ts';
import { listMessages } from '../../../../../src/operations/sessions/sessions.ts';
import { post } from '../../../api/outbox.ts';
import { useDraft } from '../../../api/use-draft.ts';
import { useRead } from '../../../api/use-operation.ts';
import { InlineApproval } from '../../../kit/approvals/inline-approval.tsx';
import { IconButton } from '../../../kit/button.tsx';
import { TextInput } from '../../../kit/fields.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { toast, toastError } from '../../../kit/toasts.tsx';

const LATEST = 4;
const MAX_CHARS = 400;

/** The end of a conversation and a reply to it, without leaving the one that is open. */
export function SessionPeek({ session }: { readonly session: ListedSessionShape }) {
  const { session_id: id, approval_id: approvalId, closed_at: closedAt } = session;
  const query = useRead(listMessages, { params: { session_id: id }, query: { limit: LATEST } });
  return (
    <section
      aria-label={`The end of ${session.title}`}
      className="space-y-2 border-l-2 border-line py-1 pl-3 text-sm"
    >
      <Loaded query={query} rows={2}>
        {({ messages }) => (
          <div className="max-h-60 space-y-2 overflow-y-auto">
            {messages
              .filter(({ role }) => role === 'user' || role === 'assistant')
              .map(({ role, content, ts }) => (
                <p key={role + ts} className="break-words whitespace-pre-wrap">
                  <span className="block text-xs text-muted">
                    {role === 'user' ? 'You' : session.agent_id}
                  </span>
                  {content.length > MAX_CHARS ? `${content.slice(0, MAX_CHARS)}…` : content}
                </p>
              ))}
          </div>
        )}
      </Loaded>
      {approvalId === null ? null : <InlineApproval id={approvalId} />}
      {closedAt === null ? <Reply session={session} /> : null}
    </section>
  );
}

function Reply({ session }: { readonly session: ListedSessionShape }) {
  const { session_id: sessionId, agent_id: agentId } = session;
  const [text, setText] = useDraft(`chat.${sessionId}`);
  return (
    <form
      className="flex items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        post({ to: { kind: 'session', sessionId }, agentId, text }).then(
          () => toast(session.state === 'working' ? 'Queued.' : 'Sent.'),
          toastError,
        );
        setText('');
      }}
    >
      <TextInput
        aria-label={`Reply to ${session.title}`}
        placeholder="Reply…"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <IconButton label="Send the reply" icon={SendHorizontal} type="submit" />
    </form>
  );
}
