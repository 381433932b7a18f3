import { CornerDownRight } from 'lucide-react';
import { useStore } from '../../../api/store.ts';
import { Button } from '../../../kit/button.tsx';
import type { Told } from './answer.ts';
import { lateIdOf, sentLate } from './sent-late.ts';

interface ToldViewProps {
  readonly told: Told;
  readonly runId: string | undefined;
  /** Whether its run has ended. */
  readonly isOver: boolean;
  readonly onSend: ((told: Told) => void) | undefined;
}

/** What was said to an agent while it worked, where it was said. */
export function ToldView({ told, runId = '', isOver, onSend }: ToldViewProps) {
  const { text, isRead } = told;
  const isSent = useStore(sentLate).includes(lateIdOf(runId, told.key));
  const isLate = isOver && isRead === false;
  return (
    <div className="space-y-1.5">
      <div className="flex items-start gap-2 rounded-lg bg-sunken px-3.5 py-2.5">
        <CornerDownRight aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
        <p className="min-w-0 break-words whitespace-pre-wrap">
          <span className="sr-only">Told on the way: </span>
          {text}
        </p>
      </div>
      {isRead === false && !isOver ? (
        <p className="text-xs text-muted">Sent. It reads this before its next step.</p>
      ) : null}
      {isLate ? (
        <p className="flex flex-wrap items-center gap-2 text-sm text-wait">
          It ended before it read this.
          {onSend === undefined || isSent ? null : (
            <Button size="small" onClick={() => onSend(told)}>
              Send it as the next message
            </Button>
          )}
        </p>
      ) : null}
    </div>
  );
}
