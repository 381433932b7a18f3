import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../kit/class-names.ts';
import { Section } from '../../../kit/page.tsx';
import { StateIcon } from '../../../kit/state-badge.tsx';
import { ANSWERS, type AnswerProps, type Need } from './import-answers.tsx';

/** What is missing here, or that only a person can decide: each with its answer beside it. */
export function ImportNeeds(props: AnswerProps) {
  const { needs } = props.report;
  const of = (kind: Need['kind']) => needs.filter((need) => need.kind === kind);
  const asked = ANSWERS.filter(
    ({ kind, isGiven }) => isGiven(props.choices) || of(kind).length > 0,
  );
  // Nothing can be said to these here: their words tell what to do.
  const others = needs.filter((need) => ANSWERS.every(({ kind }) => kind !== need.kind));
  if (asked.length === 0 && others.length === 0) return null;
  return (
    <Section title="To decide" hint="It is looked at again after each answer.">
      <ul className="space-y-2">
        {asked.map(({ kind, Answer }) => (
          <Item key={kind} isOpen={of(kind).some(({ blocking }) => blocking)}>
            <Answer {...props} />
          </Item>
        ))}
        {others.map(({ kind, what, message, blocking }) => (
          <Item key={kind + what} isOpen={blocking}>
            <p className="break-words">{message}</p>
          </Item>
        ))}
      </ul>
    </Section>
  );
}

function Item({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }) {
  return (
    <li
      className={classNames(
        'flex items-start gap-3 rounded-lg border px-3 py-2',
        isOpen ? 'border-wait bg-wait-soft' : 'border-line bg-surface',
      )}
    >
      <span className="mt-1.5">
        {isOpen ? (
          <TriangleAlert role="img" aria-label="to decide" className="size-4 text-wait" />
        ) : (
          <StateIcon state="ok" label="decided" />
        )}
      </span>
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  );
}
