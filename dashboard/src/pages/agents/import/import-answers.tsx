import { type ComponentType, useState } from 'react';
import type { ImportReportShape } from '../../../../../src/operations/agents/parcel-shapes.ts';
import { Button } from '../../../kit/button.tsx';
import { Check, Field, Select, TextField } from '../../../kit/fields.tsx';
import type { ImportChoices } from './import-choices.ts';

export type Need = ImportReportShape['needs'][number];

export interface AnswerProps {
  readonly report: ImportReportShape;
  readonly choices: ImportChoices;
  readonly onChoose: (part: Partial<ImportChoices>) => void;
}

interface Answer {
  readonly kind: Need['kind'];
  /** Then it is still shown, so that it can be taken back. */
  readonly isGiven: (choices: ImportChoices) => boolean;
  readonly Answer: ComponentType<AnswerProps>;
}

/** What a person can say to each kind of need. */
export const ANSWERS: readonly Answer[] = [
  { kind: 'trust', isGiven: ({ trust }) => trust !== '', Answer: TrustAnswer },
  { kind: 'name', isGiven: ({ name }) => name !== '', Answer: NameAnswer },
  {
    kind: 'global_memory',
    isGiven: ({ approvesMemory }) => approvesMemory,
    Answer: MemoryAnswer,
  },
  { kind: 'capability', isGiven: ({ grants }) => grants.length > 0, Answer: GrantAnswer },
  {
    kind: 'principal',
    isGiven: ({ principals }) => principals !== undefined,
    Answer: PrincipalAnswer,
  },
  { kind: 'pins', isGiven: ({ approvesPins }) => approvesPins, Answer: PinsAnswer },
];

function TrustAnswer({ report, choices, onChoose }: AnswerProps) {
  return (
    <Check
      label="Trust this key, this once"
      hint="Only if you know who made the file: it brings words that the agent will follow."
      checked={choices.trust !== ''}
      onChange={({ target }) => onChoose({ trust: target.checked ? report.parcel.public_key : '' })}
    />
  );
}

function NameAnswer({ report, onChoose }: AnswerProps) {
  const [name, setName] = useState('');
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="min-w-40 flex-1">
        <TextField
          label="Another name"
          hint={`Now it would be called ${report.agent.name}.`}
          maxLength={80}
          value={name}
          onChange={setName}
        />
      </div>
      <Button disabled={name.trim() === ''} onClick={() => onChoose({ name })} className="mt-6">
        Use it
      </Button>
    </div>
  );
}

function MemoryAnswer({ choices, onChoose }: AnswerProps) {
  return (
    <Check
      label="Let it share memory with all agents"
      hint="It reads what all of them share, and shares what it remembers."
      checked={choices.approvesMemory}
      onChange={({ target }) => onChoose({ approvesMemory: target.checked })}
    />
  );
}

function GrantAnswer({ report, choices, onChoose }: AnswerProps) {
  const { grants, withoutGrants } = choices;
  const missing = report.needs.filter(({ kind }) => kind === 'capability');
  const tools = [...new Set([...grants, ...missing.map(({ what }) => what)])].sort();
  const toggle = (tool: string, isOn: boolean) =>
    onChoose({ grants: isOn ? [...grants, tool] : grants.filter((one) => one !== tool) });
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
          onChange={({ target }) => toggle(tool, target.checked)}
        />
      ))}
      <Check
        label="Leave out what is not granted above"
        checked={withoutGrants}
        onChange={({ target }) => onChoose({ withoutGrants: target.checked })}
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
          onChange={({ target: { value } }) =>
            onChoose({ principals: value === 'keep' || value === 'skip' ? value : undefined })
          }
        >
          <option value="">Decide…</option>
          <option value="keep">Keep it theirs</option>
          <option value="skip">Leave it out</option>
        </Select>
      )}
    </Field>
  );
}

function PinsAnswer({ choices, onChoose }: AnswerProps) {
  return (
    <Check
      label="Keep its pinned memories pinned"
      hint="Pinned ones are told to it in every run."
      checked={choices.approvesPins}
      onChange={({ target }) => onChoose({ approvesPins: target.checked })}
    />
  );
}
