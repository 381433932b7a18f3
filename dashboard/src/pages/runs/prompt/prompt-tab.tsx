import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { classNames } from '../../../kit/class-names.ts';
import { CopyButton } from '../../../kit/copy.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { Select } from '../../../kit/fields.tsx';
import { formatCount } from '../../../kit/format.ts';
import type { RunTabProps } from '../detail/run-page.tsx';
import {
  listTurns,
  type PromptMessage,
  type PromptOfTurn,
  promptOfTurn,
} from './prompt-of-turn.ts';

/** Turn by turn, what the model was given. */
export function PromptTab({ run, followed: { events }, view, change }: RunTabProps) {
  const turns = useMemo(() => listTurns(events), [events]);
  const turn = view.turn !== undefined && turns.includes(view.turn) ? view.turn : turns.at(-1);
  const prompt = useMemo(
    () => (turn === undefined ? undefined : promptOfTurn(events, turn)),
    [events, turn],
  );
  if (prompt === undefined) {
    return (
      <Empty icon={ScrollText} title="No model was asked">
        What a model is given appears here with the first turn.
      </Empty>
    );
  }
  return (
    <div className="max-w-4xl">
      <div className="mb-4 flex flex-wrap items-center gap-3 text-sm text-muted">
        <div className="w-36">
          <Select
            aria-label="Turn"
            value={turn}
            onChange={(event) => change({ turn: Number(event.target.value) })}
          >
            {turns.map((one) => (
              <option key={one} value={one}>
                Turn {one}
              </option>
            ))}
          </Select>
        </div>
        <span>{prompt.model}</span>
        <span>{formatCount(prompt.toolsOffered)} tools offered</span>
        <CopyButton text={toText(prompt)} label="Copy the prompt" />
      </div>
      <Said who="System" text={prompt.system} />
      {prompt.earlierMessages === 0 ? null : (
        <p className="my-3 rounded-lg border border-dashed border-line px-3 py-2 text-sm text-muted">
          {formatCount(prompt.earlierMessages)} earlier{' '}
          {prompt.earlierMessages === 1 ? 'message' : 'messages'} of the conversation came here.
          They are kept with{' '}
          {run.session_id === undefined ? (
            'it'
          ) : (
            <Link
              href={`/chat/${encodeURIComponent(run.session_id)}`}
              className="text-accent-ink underline underline-offset-2"
            >
              its session
            </Link>
          )}
          , and not in the log of the run.
        </p>
      )}
      {prompt.messages.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a prompt does not change
        <Message key={at} message={message} />
      ))}
    </div>
  );
}

const ROLES: Readonly<Record<PromptMessage['role'], string>> = {
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
  memory: 'Remembered',
};

function Message({ message: { role, name, text, calls } }: { readonly message: PromptMessage }) {
  const asked = calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`).join('\n');
  return (
    <Said
      who={name === '' ? ROLES[role] : `${ROLES[role]} ${name}`}
      text={[text, asked].filter(Boolean).join('\n\n')}
      isOurs={role === 'assistant'}
    />
  );
}

interface SaidProps {
  readonly who: string;
  readonly text: string;
  readonly isOurs?: boolean;
}

function Said({ who, text, isOurs = false }: SaidProps) {
  return (
    <section className="mb-3" aria-label={who}>
      <h3 className="mb-1 text-xs font-medium text-muted">{who}</h3>
      <pre
        tabIndex={0}
        className={classNames(
          'max-h-96 overflow-auto rounded-lg border border-line p-3 text-sm break-words whitespace-pre-wrap',
          isOurs ? 'bg-accent-soft' : 'bg-surface',
        )}
      >
        {text === '' ? '(nothing)' : text}
      </pre>
    </section>
  );
}

function toText({ system, messages }: PromptOfTurn): string {
  const parts = messages.map(({ role, name, text }) => `## ${ROLES[role]} ${name}\n\n${text}`);
  return [`## System\n\n${system}`, ...parts].join('\n\n');
}
