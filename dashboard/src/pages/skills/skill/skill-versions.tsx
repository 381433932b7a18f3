import { Link } from 'wouter';
import { listAllSkills } from '../../../../../src/operations/skills/skills.ts';
import { useRead } from '../../../api/use-operation.ts';
import { classNames } from '../../../kit/class-names.ts';
import { Section } from '../../../kit/page.tsx';
import { toSkillPath } from './skill-state.tsx';

interface SkillVersionsProps {
  readonly skillId: string;
  readonly current: number;
}

export function SkillVersions({ skillId, current }: SkillVersionsProps) {
  const all = useRead(listAllSkills, {}).data?.skills ?? [];
  const versions = all.filter(({ skill_id }) => skill_id === skillId);
  if (versions.length < 2) return null;
  return (
    <Section title="Versions">
      <ul className="flex flex-wrap gap-2">
        {versions.map((one) => (
          <li key={one.version}>
            <Link
              href={toSkillPath(one)}
              aria-current={one.version === current ? 'page' : undefined}
              className={classNames(
                'inline-block rounded-md border px-2 py-1 text-sm',
                one.version === current
                  ? 'border-accent bg-accent-soft'
                  : 'border-line bg-surface hover:bg-sunken',
              )}
            >
              {one.version} · {one.state ?? 'installed'}
              {one.current ? ' · in use' : ''}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
