import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { InlineApproval } from '../../../kit/approvals/inline-approval.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { CodeBlock, Json } from '../../../kit/code-block.tsx';
import { formatDuration } from '../../../kit/format.ts';
import { type State, StateIcon } from '../../../kit/state-badge.tsx';
import type { ToolCall } from './answer.ts';

const STATES: Readonly<Record<ToolCall['state'], readonly [State, string]>> = {
  running: ['busy', 'running'],
  waiting: ['wait', 'waits for you'],
  ok: ['ok', 'done'],
  failed: ['bad', 'failed'],
  denied: ['off', 'refused'],
};

/** One line for one call; who wants to know unfolds it. */
export function ToolCard({ call }: { readonly call: ToolCall }) {
  const [isOpen, setIsOpen] = useState(false);
  const [state, label] = STATES[call.state];
  return (
    <div className="space-y-2">
      <div className="overflow-hidden rounded-md border border-line bg-surface">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="flex h-8 w-full items-center gap-2 px-2 text-left text-sm hover:bg-sunken"
        >
          <ChevronRight
            aria-hidden
            className={classNames('size-3.5 shrink-0 text-muted', isOpen && 'rotate-90')}
          />
          <StateIcon state={state} label={label} />
          <code className="shrink-0">{call.tool}</code>
          <span className="min-w-0 flex-1 truncate text-muted">{describeCall(call)}</span>
          {call.durationMs === undefined ? null : (
            <span className="shrink-0 text-xs text-muted tabular-nums">
              {formatDuration(call.durationMs)}
            </span>
          )}
        </button>
        {isOpen ? <ToolDetail call={call} /> : null}
      </div>
      {call.state === 'waiting' && call.approvalId !== undefined ? (
        <InlineApproval id={call.approvalId} />
      ) : null}
    </div>
  );
}

function ToolDetail({ call }: { readonly call: ToolCall }) {
  return (
    <div className="space-y-3 border-t border-line p-3">
      {call.error === undefined ? null : (
        <p className="rounded-md bg-bad-soft px-2.5 py-1.5 text-sm break-words whitespace-pre-wrap">
          {call.error}
        </p>
      )}
      <Part title="Arguments" value={call.input} />
      {call.output === undefined || call.output === null ? null : (
        <Part title="Result" value={call.output} />
      )}
      {call.answered === undefined ? null : (
        <p className="text-sm text-muted">A person was asked: {call.answered}.</p>
      )}
    </div>
  );
}

function Part({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <section aria-label={title}>
      <p className="mb-1 text-xs font-medium text-muted">{title}</p>
      {typeof value === 'string' ? <CodeBlock code={value} /> : <Json value={value ?? {}} />}
    </section>
  );
}

/** Arguments that say most, by their names. */
const TELLING = ['path', 'command', 'url', 'query', 'src', 'name'];

/** What it was about in a few words: how it ended, else what it works on. */
function describeCall({ summary, input, error }: ToolCall): string {
  if (summary !== undefined && summary !== '') return summary;
  if (error !== undefined) return error;
  if (typeof input !== 'object' || input === null) return '';
  const given = input as Readonly<Record<string, unknown>>;
  const told = [...TELLING, ...Object.keys(given)].map((name) => given[name]);
  return String(told.find((value) => typeof value === 'string') ?? '');
}
