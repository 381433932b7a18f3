import { TriangleAlert } from 'lucide-react';
import { Markdown } from '../../../kit/markdown.tsx';
import { type Answer, type AnswerPart, isOver, type Told } from './answer.ts';
import { ToldView } from './told-view.tsx';
import { ToolCard } from './tool-card.tsx';

interface AnswerViewProps {
  readonly answer: Answer;
  readonly runId: string | undefined;
  /** Sends what came too late to be read, as a message of its own. */
  readonly onSend?: (told: Told) => void;
}

/** What an agent said and did, in its order. */
export function AnswerView({ answer, runId, onSend }: AnswerViewProps) {
  const { parts, state, problem, isBegunAgain } = answer;
  return (
    <div className="space-y-3.5">
      {isBegunAgain === true ? (
        <p className="text-xs text-muted">
          It was interrupted, and the model began this part again.
        </p>
      ) : null}
      {groupTools(parts).map((group) => (
        <div key={group[0]?.key} className="space-y-1.5">
          {group.map((part) => (
            <PartView
              key={part.key}
              part={part}
              runId={runId}
              isOver={isOver(answer)}
              onSend={onSend}
            />
          ))}
        </div>
      ))}
      {isOver(answer) || state === 'waiting' ? null : <Progress answer={answer} />}
      {state === 'stopped' ? (
        <p className="text-sm text-muted">Stopped before it was done.</p>
      ) : null}
      {state === 'failed' ? (
        <p className="flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
          <span className="min-w-0 break-words whitespace-pre-wrap">
            {problem ?? 'It failed; its run tells why.'}
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** Calls that follow each other stand close together. */
function groupTools(parts: readonly AnswerPart[]): readonly (readonly AnswerPart[])[] {
  const groups: AnswerPart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.kind === 'tool' && last?.[0]?.kind === 'tool') last.push(part);
    else groups.push([part]);
  }
  return groups;
}

interface PartViewProps {
  readonly part: AnswerPart;
  readonly runId: string | undefined;
  readonly isOver: boolean;
  readonly onSend: ((told: Told) => void) | undefined;
}

function PartView({ part, runId, isOver, onSend }: PartViewProps) {
  if (part.kind === 'told') {
    return <ToldView told={part} runId={runId} isOver={isOver} onSend={onSend} />;
  }
  if (part.kind === 'tool') return <ToolCard call={part.call} />;
  if (part.kind === 'note') {
    return <p className="border-l-2 border-line pl-3 text-sm text-muted">{part.text}</p>;
  }
  return <Markdown text={part.text} />;
}

const WORDS: Readonly<Partial<Record<Answer['state'], string>>> = {
  queued: 'Queued: its turn comes when the message before is answered',
  stopping: 'Stopping',
};

function Progress({ answer: { state, parts } }: { readonly answer: Answer }) {
  const last = parts.at(-1);
  const doing = last?.kind === 'tool' ? `Using ${last.call.tool}` : last ? 'Writing' : 'Thinking';
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <span aria-hidden className="size-1.5 animate-pulse rounded-full bg-busy" />
      {WORDS[state] ?? doing}…
    </p>
  );
}
