import { GitBranch, RotateCcw, SquareActivity } from 'lucide-react';
import { Link } from 'wouter';
import { IconButton } from '../../../kit/button.tsx';
import { CopyButton } from '../../../kit/copy.tsx';
import { formatMoney, formatShort } from '../../../kit/format.ts';
import { Time } from '../../../kit/time.tsx';
import { type Answer, toText, type Usage } from './answer.ts';
import type { Exchange } from './exchange.ts';

interface AnswerFootProps {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly canRetry: boolean;
  readonly onRetry: () => void;
  readonly onFork: () => void;
}

/** What can be done with an answer, and what it cost. */
export function AnswerFoot(props: AnswerFootProps) {
  const { exchange, answer, canRetry, onRetry, onFork } = props;
  const { runId, question } = exchange;
  // What was told when the session was opened is one: nothing can go on from the middle of it.
  const isRepeatable = runId !== undefined && question !== undefined && !exchange.isShared;
  const text = toText(answer);
  return (
    <div className="-ml-1.5 flex flex-wrap items-center gap-x-1 text-xs text-muted">
      {text === '' ? null : <CopyButton text={text} label="Copy the answer" />}
      {isRepeatable ? (
        <IconButton
          label={answer.state === 'done' ? 'Ask again, in a fork' : 'Try again'}
          icon={RotateCcw}
          size="smallIcon"
          disabled={!canRetry}
          onClick={onRetry}
        />
      ) : null}
      <IconButton label="Fork from here" icon={GitBranch} size="smallIcon" onClick={onFork} />
      {runId === undefined ? null : (
        <Link
          href={`/runs/${runId}`}
          title={`The run behind this answer: ${runId}`}
          className="flex h-7 items-center gap-1 rounded-md px-1.5 hover:bg-sunken hover:text-ink"
        >
          <SquareActivity aria-hidden className="size-3.5" />
          Run
        </Link>
      )}
      <span className="px-1.5">
        <Time at={exchange.replies.at(-1)?.ts ?? exchange.askedAt} />
      </span>
      {answer.usage === undefined ? null : <Spent usage={answer.usage} />}
    </div>
  );
}

function Spent({ usage: { inputTokens, outputTokens, costUsd } }: { readonly usage: Usage }) {
  const exact = `${inputTokens ?? 'unknown'} tokens in, ${outputTokens ?? 'unknown'} out`;
  return (
    <span title={exact} className="px-1.5 tabular-nums">
      {formatShort(sum(inputTokens, outputTokens))} tokens
      {costUsd === null ? null : ` · ${formatMoney(costUsd)}`}
    </span>
  );
}

function sum(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}
