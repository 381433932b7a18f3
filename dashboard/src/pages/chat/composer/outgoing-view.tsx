import { useEffect, useRef } from 'react';
import {
  discard,
  isFor,
  type Outgoing,
  outbox,
  postAgain,
  settleShown,
} from '../../../api/outbox.ts';
import { useStore } from '../../../api/store.ts';
import { Button, LinkButton } from '../../../kit/button.tsx';
import { Question } from '../transcript/question.tsx';

interface OutgoingViewProps {
  readonly place: string | undefined;
  /** What the transcript shows already. */
  readonly isShown: (runId: string) => boolean;
  readonly onSent: (sessionId: string) => void;
}

/** Messages of this conversation that the server does not have yet, or whose exchange is not loaded yet. */
export function OutgoingView({ place, isShown, onSent }: OutgoingViewProps) {
  const all = useStore(outbox);
  const entries = all.filter(
    (entry) => belongs(entry, place) && !(entry.runId !== undefined && isShown(entry.runId)),
  );
  useEffect(() => settleShown(isShown));
  // Whoever waited for it here is led on, also when a visit before this one sent it.
  const awaited = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, state, sessionId } of all) {
      if (state === 'sent' && sessionId !== undefined && awaited.current.delete(id)) {
        onSent(sessionId);
      }
    }
    for (const { id, state } of entries) if (state !== 'sent') awaited.current.add(id);
  });
  return entries.map((entry) => (
    <article key={entry.id} aria-label="On its way" className="space-y-2">
      <Question text={entry.text} draft={`chat.edit.${entry.id}`} />
      <OutgoingState entry={entry} place={place} />
    </article>
  ));
}

/** A chat that is begun, and that nobody has looked at yet, can be reached from where it was begun. */
function belongs(entry: Outgoing, place: string | undefined): boolean {
  const isBegun = entry.to.kind === 'new' && entry.state === 'sent';
  return isFor(entry, place) || (place === undefined && isBegun);
}

interface OutgoingStateProps {
  readonly entry: Outgoing;
  readonly place: string | undefined;
}

function OutgoingState({ entry, place }: OutgoingStateProps) {
  if (entry.state === 'sent' && entry.sessionId !== place) {
    return (
      <LinkButton size="small" to={`/chat/${entry.sessionId}`}>
        It is sent: open its chat
      </LinkButton>
    );
  }
  if (entry.state === 'sending' || entry.state === 'sent') {
    return <p className="text-sm text-muted">Sending…</p>;
  }
  const again = () => void postAgain(entry).catch(() => {});
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 text-sm">
      <span className={entry.state === 'refused' ? 'text-bad' : 'text-wait'}>
        {entry.state === 'refused' ? 'Not sent.' : 'Not sent yet; it is kept, and tried again.'}
      </span>
      <span className="min-w-0 break-words text-muted">{entry.problem}</span>
      {entry.state === 'refused' ? (
        <Button size="small" onClick={again}>
          Try again
        </Button>
      ) : null}
      <Button size="small" kind="quiet" onClick={() => discard(entry.id)}>
        Discard
      </Button>
    </div>
  );
}
