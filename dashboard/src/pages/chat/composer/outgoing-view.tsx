import { useEffect } from 'react';
import {
  discard,
  isFor,
  type Outgoing,
  outbox,
  postAgain,
  settleShown,
} from '../../../api/outbox.ts';
import { useStore } from '../../../api/store.ts';
import { Button } from '../../../kit/button.tsx';
import { Question } from '../transcript/question.tsx';

interface OutgoingViewProps {
  readonly place: string | undefined;
  /** What the transcript shows already. */
  readonly isShown: (runId: string) => boolean;
  readonly onSent: (sessionId: string) => void;
}

/** Messages of this conversation that the server does not have yet, or whose exchange is not loaded yet. */
export function OutgoingView({ place, isShown, onSent }: OutgoingViewProps) {
  const entries = useStore(outbox).filter(
    (entry) => isFor(entry, place) && !(entry.runId !== undefined && isShown(entry.runId)),
  );
  useEffect(() => settleShown(isShown));
  return entries.map((entry) => (
    <article key={entry.id} aria-label="On its way" className="space-y-2">
      <Question text={entry.text} draft={`chat.edit.${entry.id}`} />
      <OutgoingState entry={entry} onSent={onSent} />
    </article>
  ));
}

interface OutgoingStateProps {
  readonly entry: Outgoing;
  readonly onSent: (sessionId: string) => void;
}

function OutgoingState({ entry, onSent }: OutgoingStateProps) {
  if (entry.state === 'sending' || entry.state === 'sent') {
    return <p className="text-sm text-muted">Sending…</p>;
  }
  const again = () =>
    void postAgain(entry)
      .then(({ sessionId }) => onSent(sessionId))
      .catch(() => {});
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
