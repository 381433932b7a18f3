import { Blocks } from 'lucide-react';
import { Link } from 'wouter';
import { OPERATOR } from '../../../../../src/core/principal.ts';
import type { SkillShape } from '../../../../../src/operations/skills/skill-shapes.ts';
import { listAllSkills } from '../../../../../src/operations/skills/skills.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Empty } from '../../../kit/empty.tsx';
import { SearchInput } from '../../../kit/fields.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import { useExactParams } from '../../../kit/use-exact-params.ts';
import { SpecBadge, TrustBadge, toSkillPath } from './skill-state.tsx';

const COLUMNS: readonly Column<SkillShape>[] = [
  {
    label: 'Skill',
    cell: (skill) => (
      <Link
        href={toSkillPath(skill)}
        className="font-medium break-all text-accent-ink hover:underline"
      >
        {skill.skill_id}
      </Link>
    ),
  },
  { label: 'Version', cell: ({ version }) => version, align: 'right' },
  { label: 'State', cell: ({ state }) => <SpecBadge state={state} /> },
  { label: 'Trust', cell: ({ release }) => <TrustBadge release={release} />, isExtra: true },
  {
    label: 'In use',
    cell: describeUse,
    isExtra: true,
  },
  {
    label: 'Owner',
    cell: ({ owner, built_in }) => (
      <span className="break-all">{built_in ? 'built in' : owner}</span>
    ),
    isExtra: true,
  },
  { label: 'Released', cell: ({ release }) => <Time at={release?.published_at} />, isExtra: true },
];

/** All versions of all owners, the newest of each skill first. */
export function SkillList() {
  const skills = useRead(listAllSkills, {});
  const [parameters, setParameters] = useExactParams();
  const text = parameters.get('q') ?? '';
  return (
    <>
      <div className="mb-3">
        <SearchInput
          label="Find a skill"
          value={text}
          onChange={(q) => setParameters({ q }, { replace: true })}
        />
      </div>
      <Loaded query={skills}>
        {({ skills: all }) => {
          const shown = all.filter((skill) => says(skill, text)).sort(byIdThenNewest);
          return shown.length === 0 ? (
            <NoSkills text={text} />
          ) : (
            <Table
              label="Skills"
              columns={COLUMNS}
              rows={shown}
              keyOf={({ skill_id, version }) => `${skill_id}@${version}`}
            />
          );
        }}
      </Loaded>
    </>
  );
}

function NoSkills({ text }: { readonly text: string }) {
  return (
    <Empty icon={Blocks} title={text === '' ? 'No skills yet' : `No skill says “${text}”`}>
      <p>
        <code>claw skills publish FOLDER</code> releases a folder with a SKILL.md,{' '}
        <code>claw skills install FILE</code> takes one that somebody else signed. Users of a
        product write theirs through its back end.
      </p>
    </Empty>
  );
}

function says({ skill_id, owner }: SkillShape, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [skill_id, owner].some((word) => word.toLowerCase().includes(wanted));
}

function byIdThenNewest(a: SkillShape, b: SkillShape): number {
  return a.skill_id.localeCompare(b.skill_id) || b.version - a.version;
}

function describeUse({ current, owner }: SkillShape): string {
  if (!current) return 'no';
  return owner === OPERATOR ? 'agents are told of it' : 'in runs for its owner';
}
