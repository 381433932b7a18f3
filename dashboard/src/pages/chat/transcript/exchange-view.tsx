import { memo } from 'react';
import { isOver, type Told } from './answer.ts';
import { AnswerFoot } from './answer-foot.tsx';
import { AnswerView } from './answer-view.tsx';
import type { Exchange } from './exchange.ts';
import { useNear } from './nearness.ts';
import { Question } from './question.tsx';
import { useAnswer } from './use-answer.ts';

/** What can be done with an exchange. Stays the same object, so that older exchanges are not drawn again. */
export interface ExchangeActions {
  /** False until it is known whom to ask. */
  readonly canAsk: boolean;
  edit(exchange: Exchange, text: string): Promise<void>;
  retry(exchange: Exchange, isFork: boolean): void;
  fork(exchange: Exchange): void;
  /** What it was told too late, as the next message. */
  sendLate(exchange: Exchange, told: Told): void;
  /** Its answer came to an end. */
  end(): void;
}

interface ExchangeProps {
  readonly exchange: Exchange;
  readonly isCurrent: boolean;
  readonly actions: ExchangeActions;
}

interface ExchangeViewProps extends ExchangeProps {
  readonly isMarked: boolean;
  /** Whether it is in view before anybody scrolls. */
  readonly isNearAtFirst: boolean;
}

/** A guess; what was near once is as high as it was. */
const HEIGHT_PX = 320;

/** An exchange and its place: far from what is in view there is the place alone. */
export const ExchangeView = memo(function ExchangeView(props: ExchangeViewProps) {
  const { exchange, isCurrent, isMarked, isNearAtFirst, actions } = props;
  const { element, isNear, height = HEIGHT_PX } = useNear<HTMLElement>(isNearAtFirst);
  const isShown = isNear || isCurrent;
  return (
    <article
      ref={element}
      data-exchange={exchange.key}
      aria-label={`Exchange ${exchange.key}`}
      className={`rounded-lg ${isMarked ? 'outline-2 outline-offset-8 outline-accent/60' : ''}`}
      style={isShown ? undefined : { height }}
    >
      {isShown ? (
        <ExchangeBody exchange={exchange} isCurrent={isCurrent} actions={actions} />
      ) : null}
    </article>
  );
});

function ExchangeBody({ exchange, isCurrent, actions }: ExchangeProps) {
  const { question, runId, isShared } = exchange;
  const answer = useAnswer(exchange, { isCurrent, onOver: actions.end });
  const isEditable = runId !== undefined && !isShared;
  return (
    <div aria-busy={!isOver(answer) || undefined} className="space-y-3">
      {question === undefined ? null : (
        <Question
          text={question}
          draft={`chat.edit.${runId ?? ''}`}
          {...(isEditable ? { onEdit: (text: string) => actions.edit(exchange, text) } : {})}
        />
      )}
      <AnswerView
        answer={answer}
        runId={runId}
        onSend={(told) => actions.sendLate(exchange, told)}
      />
      {isOver(answer) ? (
        <AnswerFoot
          exchange={exchange}
          answer={answer}
          canRetry={actions.canAsk}
          onRetry={() => actions.retry(exchange, answer.state === 'done')}
          onFork={() => actions.fork(exchange)}
        />
      ) : null}
    </div>
  );
}
