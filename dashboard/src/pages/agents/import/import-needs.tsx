import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ImportReportShape } from '../../../../../src/operations/agents/parcel-shapes.ts';
import { Button } from '../../../kit/button.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { Check, Field, Select, TextInput } from '../../../kit/fields.tsx';
import { Section } from '../../../kit/page.tsx';
import { StateIcon } from '../../../kit/state-badge.tsx';
import type { ImportChoices } from './import-choices.ts';

type Need = ImportReportShape['needs'][number];

interface ImportNeedsProps {
  readonly report: ImportReportShape;
  readonly choices: ImportChoices;
  readonly onChoose: (part: Partial<ImportChoices>) => void;
}

/** What is missing here, or that only a person can decide: each with its answer beside it. */
export function ImportNeeds({ report, choices, onChoose }: ImportNeedsProps) {
  const answers = listAnswers(report, choices, onChoose);
  const others = report.needs.filter(({ kind }) => kind === 'skill' || kind === 'model');
  if (answers.length === 0 && others.length === 0) return null;
  return (
    <Section title="To decide" hint="It is looked at again after each answer.">
      <ul className="space-y-2">
        {answers.map(({ kind, isOpen, content }) => (
          <Item key={kind} isOpen={isOpen}>
            {content}
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

interface Answer {
  readonly kind: Need['kind'];
  readonly isOpen: boolean;
  readonly content: ReactNode;
}

function listAnswers(
  { needs, parcel, agent }: ImportReportShape,
  choices: ImportChoices,
  onChoose: ImportNeedsProps['onChoose'],
): readonly Answer[] {
  const of = (kind: Need['kind']) => needs.filter((need) => need.kind === kind);
  const isOpen = (kind: Need['kind']) => of(kind).some(({ blocking }) => blocking);
  const tools = [...new Set([...choices.grants, ...of('capability').map(({ what }) => what)])];
  const offers: readonly (readonly [Need['kind'], boolean, ReactNode])[] = [
    [
      'trust',
      choices.trust !== '',
      <Check
        key="trust"
        label="Trust this key, this once"
        hint="Only if you know who made the file: it brings words that the agent will follow."
        checked={choices.trust !== ''}
        onChange={(event) => onChoose({ trust: event.target.checked ? parcel.public_key : '' })}
      />,
    ],
    [
      'name',
      choices.name !== '',
      <NameAnswer key="name" taken={agent.name} onName={(name) => onChoose({ name })} />,
    ],
    [
      'global_memory',
      choices.approvesMemory,
      <Check
        key="memory"
        label="Let it share memory with all agents"
        hint="It reads what all of them share, and shares what it remembers."
        checked={choices.approvesMemory}
        onChange={(event) => onChoose({ approvesMemory: event.target.checked })}
      />,
    ],
    [
      'capability',
      tools.length > 0,
      <GrantAnswer key="capability" tools={tools} choices={choices} onChoose={onChoose} />,
    ],
    [
      'principal',
      choices.principals !== undefined,
      <PrincipalAnswer key="principal" choices={choices} onChoose={onChoose} />,
    ],
    [
      'pins',
      choices.approvesPins,
      <Check
        key="pins"
        label="Keep its pinned memories pinned"
        hint="Pinned ones are told to it in every run."
        checked={choices.approvesPins}
        onChange={(event) => onChoose({ approvesPins: event.target.checked })}
      />,
    ],
  ];
  return offers
    .filter(([kind, isAnswered]) => isAnswered || of(kind).length > 0)
    .map(([kind, , content]) => ({ kind, isOpen: isOpen(kind), content }));
}

interface NameAnswerProps {
  readonly taken: string;
  readonly onName: (name: string) => void;
}

function NameAnswer({ taken, onName }: NameAnswerProps) {
  const [name, setName] = useState('');
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="min-w-40 flex-1">
        <Field label="Another name" hint={`Now it would be called ${taken}.`}>
          {(ids) => (
            <TextInput
              {...ids}
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Button disabled={name.trim() === ''} onClick={() => onName(name)} className="mt-6">
        Use it
      </Button>
    </div>
  );
}

interface AnswerProps {
  readonly choices: ImportChoices;
  readonly onChoose: ImportNeedsProps['onChoose'];
}

function GrantAnswer({
  tools,
  choices,
  onChoose,
}: AnswerProps & { readonly tools: readonly string[] }) {
  const { grants, withoutGrants } = choices;
  return (
    <fieldset>
      <legend className="text-sm font-medium">
        It was granted these at home, and is not here. Grant them?
      </legend>
      {tools.map((tool) => (
        <Check
          key={tool}
          label={tool}
          checked={grants.includes(tool)}
          onChange={(event) =>
            onChoose({
              grants: event.target.checked
                ? [...grants, tool]
                : grants.filter((one) => one !== tool),
            })
          }
        />
      ))}
      <Check
        label="Leave out what is not granted above"
        checked={withoutGrants}
        onChange={(event) => onChoose({ withoutGrants: event.target.checked })}
      />
    </fieldset>
  );
}

function PrincipalAnswer({ choices, onChoose }: AnswerProps) {
  return (
    <Field label="Some of it belongs to users of a product">
      {(ids) => (
        <Select
          {...ids}
          value={choices.principals ?? ''}
          onChange={(event) => {
            const { value } = event.target;
            onChoose({ principals: value === 'keep' || value === 'skip' ? value : undefined });
          }}
        >
          <option value="">Decide…</option>
          <option value="keep">Keep it theirs</option>
          <option value="skip">Leave it out</option>
        </Select>
      )}
    </Field>
  );
}
