import { structuredPatch } from 'diff';
import { Fragment } from 'react';
import { classNames } from './class-names.ts';

interface DiffProps {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What an edit would change, with the lines around it. */
export function Diff({ name, before, after }: DiffProps) {
  const { hunks } = structuredPatch(name, name, before, after, undefined, undefined, {
    context: 3,
  });
  const lines = hunks.flatMap(({ oldStart, newStart, lines: changed }) => [
    `@@ ${oldStart} → ${newStart} @@`,
    ...changed,
  ]);
  return <DiffLines name={name} lines={lines} />;
}

/** One that comes as text. */
export function UnifiedDiff({ name, text }: { readonly name: string; readonly text: string }) {
  return <DiffLines name={name} lines={text.split('\n')} />;
}

const MAX_LINES = 2_000;

function DiffLines({ name, lines }: { readonly name: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return <p className="text-sm text-muted">Nothing would change.</p>;
  return (
    <section
      aria-label={`Changes to ${name}`}
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-lg border border-line bg-surface"
    >
      <pre className="min-w-max p-2 text-sm leading-relaxed">
        {lines.slice(0, MAX_LINES).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text do not move
          <Fragment key={at}>
            <DiffLine line={line} />
          </Fragment>
        ))}
        {lines.length > MAX_LINES ? `… ${lines.length - MAX_LINES} more lines` : null}
      </pre>
    </section>
  );
}

const COLOURS: Readonly<Record<string, string>> = {
  '+': 'bg-ok-soft text-ok',
  '-': 'bg-bad-soft text-bad',
  '@': 'text-muted',
};

function DiffLine({ line }: { readonly line: string }) {
  return (
    <span className={classNames('block px-2', COLOURS[line.charAt(0)])}>
      {line === '' ? ' ' : line}
    </span>
  );
}
