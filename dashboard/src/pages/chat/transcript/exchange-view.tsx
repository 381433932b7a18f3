import { memo } from 'react';
import { isOver } from './answer.ts';
import { AnswerFoot } from './answer-foot.tsx';
import { AnswerView } from './answer-view.tsx';
import type { Exchange } from './exchange.ts';
import { Question } from './question.tsx';
import { useAnswer } from './use-answer.ts';
import { useNear } from './use-near.ts';

/** What can be done with an exchange. Stays the same object, so that older exchanges are not drawn again. */
export interface ExchangeActions {
  edit(exchange: Exchange, text: string): Promise<void>;
  retry(exchange: Exchange, isFork: boolean): void;
  fork(exchange: Exchange): void;
  /** Its answer came to an end. */
  end(): void;
}

interface ExchangeViewProps {
  readonly exchange: Exchange;
  readonly isCurrent: boolean;
  readonly isMarked: boolean;
  readonly actions: ExchangeActions;
}

export const ExchangeView = memo(function ExchangeView(props: ExchangeViewProps) {
  const { exchange, isCurrent, isMarked, actions } = props;
  const [element, isNear] = useNear<HTMLElement>();
  const answer = useAnswer(exchange, { isCurrent, isNear, onOver: actions.end });
  return (
    <article
      ref={element}
      data-exchange={exchange.key}
      aria-label={`Exchange ${exchange.key}`}
      aria-busy={!isOver(answer) || undefined}
      className={`space-y-3 rounded-lg ${isMarked ? 'outline-2 outline-offset-8 outline-accent/60' : ''}`}
    >
      {exchange.question === undefined ? null : (
        <Question
          text={exchange.question}
          draft={`chat.edit.${exchange.runId ?? ''}`}
          {...(exchange.runId === undefined || exchange.isShared
            ? {}
            : { onEdit: (text: string) => actions.edit(exchange, text) })}
        />
      )}
      <AnswerView answer={answer} />
      {isOver(answer) ? (
        <AnswerFoot
          exchange={exchange}
          answer={answer}
          onRetry={() => actions.retry(exchange, answer.state === 'done')}
          onFork={() => actions.fork(exchange)}
        />
      ) : null}
    </article>
  );
});
