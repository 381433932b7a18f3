import { OPERATOR } from '../../../../src/core/principal.ts';
import { listAllSkills } from '../../../../src/operations/skills/skills.ts';
import { useRead } from '../../api/use-operation.ts';
import { classNames } from '../../kit/class-names.ts';
import { Check } from '../../kit/fields.tsx';
import { listSkillWords } from './skill-words.ts';

interface SkillChoiceProps {
  readonly skills: readonly string[];
  readonly onChange: (skills: readonly string[]) => void;
}

/** Nothing chosen means everything that is granted, which is said instead of being left to guess. */
export function SkillChoice({ skills, onChange }: SkillChoiceProps) {
  const published = useRead(listAllSkills, {}).data?.skills ?? [];
  // What a user of a product published is told in that user's runs alone, whatever the agent.
  const current = published.filter((one) => one.current && one.owner === OPERATOR);
  const toggle = (word: string, isOn: boolean) =>
    onChange(isOn ? [...skills, word] : skills.filter((one) => one !== word));
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Skills</legend>
      <p className="mb-2 text-sm text-muted">
        {skills.length === 0
          ? 'None chosen: it uses everything that it is granted.'
          : 'It uses only these, of what it is granted. A skill never adds a grant.'}
      </p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {listSkillWords(
          current.map(({ skill_id }) => skill_id),
          skills,
        ).map(({ word, hint }) => (
          <li
            key={word}
            className={classNames(
              'min-w-0 rounded-lg border px-3 py-1 break-words',
              skills.includes(word) ? 'border-accent bg-accent-soft' : 'border-line bg-surface',
            )}
          >
            <Check
              label={word}
              hint={hint}
              checked={skills.includes(word)}
              onChange={(event) => toggle(word, event.target.checked)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
