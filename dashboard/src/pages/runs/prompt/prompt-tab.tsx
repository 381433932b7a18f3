import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { TurnPromptShape } from '../../../../../src/operations/runs/log-shapes.ts';
import { readPrompt } from '../../../../../src/operations/runs/run-log.ts';
import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import { useRead } from '../../../api/use-operation.ts';
import type { RunEvent } from '../../../api/use-run-events.ts';
import { classNames } from '../../../kit/class-names.ts';
import { CopyButton } from '../../../kit/copy.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Select } from '../../../kit/fields.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Skeleton } from '../../../kit/loaded.tsx';
import type { RunTabProps } from '../detail/run-tab-props.ts';
import {
  hasAnswer,
  listTurns,
  type PromptMessage,
  type PromptOfTurn,
  promptOfTurn,
} from './prompt-of-turn.ts';

/** Turn by turn, what the model was given. */
export function PromptTab({ run, followed: { events }, view, change }: RunTabProps) {
  const turns = useMemo(() => listTurns(events), [events]);
  const turn = view.turn !== undefined && turns.includes(view.turn) ? view.turn : turns.at(-1);
  if (turn === undefined) {
    return (
      <Empty icon={ScrollText} title="No model was asked">
        What a model is given appears here with the first turn.
      </Empty>
    );
  }
  return (
    <div className="max-w-4xl">
      <div className="mb-4 w-36">
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
      <TurnPrompt key={turn} run={run} events={events} turn={turn} />
    </div>
  );
}

interface TurnPromptProps {
  readonly run: RunDetail;
  readonly events: readonly RunEvent[];
  readonly turn: number;
}

/** The server plays the run again to tell all of it. A turn without an answer is told by the log, as far as it goes. */
function TurnPrompt({ run, events, turn }: TurnPromptProps) {
  const isAnswered = useMemo(() => hasAnswer(events, turn), [events, turn]);
  const whole = useRead(
    readPrompt,
    { params: { run_id: run.id, turn } },
    { isEnabled: isAnswered },
  );
  const logged = useMemo(() => promptOfTurn(events, turn), [events, turn]);
  if (whole.data !== undefined) return <Shown prompt={toPrompt(whole.data)} run={run} />;
  if (isAnswered && whole.error === null) return <Skeleton rows={4} />;
  if (logged === undefined) return null;
  return (
    <>
      {whole.error === null ? null : <ErrorNote error={whole.error} />}
      <Shown prompt={logged} run={run} />
    </>
  );
}

function toPrompt(given: TurnPromptShape): PromptOfTurn {
  return {
    turn: given.turn,
    model: `${given.provider}/${given.model}`,
    system: given.system,
    earlierMessages: 0,
    toolsOffered: given.tools_offered,
    messages: given.messages.map(({ role, text, tool = '', tool_calls = [] }) => ({
      role,
      name: tool,
      text,
      calls: tool_calls.map((call) => ({ tool: call.tool, input: call.arguments })),
    })),
  };
}

function Shown({ prompt, run }: { readonly prompt: PromptOfTurn; readonly run: RunDetail }) {
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-3 text-sm text-muted">
        <span>{prompt.model}</span>
        <span>{formatCount(prompt.toolsOffered)} tools offered</span>
        <span>{formatCount(prompt.messages.length + prompt.earlierMessages)} messages</span>
        <CopyButton text={toText(prompt)} label="Copy the prompt" />
      </p>
      <Said who="System" text={prompt.system} />
      <Earlier count={prompt.earlierMessages} sessionId={run.session_id} />
      {prompt.messages.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a prompt does not change
        <Message key={at} message={message} />
      ))}
    </>
  );
}

interface EarlierProps {
  readonly count: number;
  readonly sessionId: string | undefined;
}

function Earlier({ count, sessionId }: EarlierProps) {
  if (count === 0) return null;
  return (
    <p className="my-3 rounded-lg border border-dashed border-line px-3 py-2 text-sm text-muted">
      {formatCount(count)} earlier {count === 1 ? 'message' : 'messages'} of the conversation came
      here. They are kept with{' '}
      {sessionId === undefined ? (
        'it'
      ) : (
        <Link
          href={`/chat/${encodeURIComponent(sessionId)}`}
          className="text-accent-ink underline underline-offset-2"
        >
          its session
        </Link>
      )}
      , and are shown once the turn has its answer.
    </p>
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
