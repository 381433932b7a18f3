import { Link } from 'wouter';
import type { SkillDetailShape } from '../../../../../src/operations/skills/skill-shapes.ts';
import { readSkill } from '../../../../../src/operations/skills/skills.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Json } from '../../../kit/code-block.tsx';
import { CopyButton, Id } from '../../../kit/copy.tsx';
import { toCurl } from '../../../kit/curl.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Markdown } from '../../../kit/markdown.tsx';
import { Card, Page, Section } from '../../../kit/page.tsx';
import { Time } from '../../../kit/time.tsx';
import { SkillActions } from './skill-actions.tsx';
import { SkillFiles } from './skill-files.tsx';
import { SkillReaders } from './skill-readers.tsx';
import { SpecBadge, TrustBadge } from './skill-state.tsx';
import { SkillVersions } from './skill-versions.tsx';

interface SkillPageProps {
  readonly skillId: string;
  readonly version: number;
}

export function SkillPage({ skillId, version }: SkillPageProps) {
  const input = { params: { skill_id: skillId, version } };
  const skill = useRead(readSkill, input);
  return (
    <Page
      title={`${skillId}, version ${version}`}
      lead={
        <Link href="/skills" className="hover:underline">
          All skills
        </Link>
      }
      actions={
        <>
          <CopyButton text={toCurl(readSkill, input)} label="Copy as curl" />
          {skill.data === undefined ? null : <SkillActions skill={skill.data} />}
        </>
      }
    >
      <Loaded query={skill}>
        {(found) => (
          <>
            <Facts skill={found} />
            <SkillVersions skillId={skillId} current={version} />
            <SkillReaders skill={found} />
            <Words skill={found} />
            <SkillFiles files={found.files} />
            {found.spec === null ? null : (
              <Section title="Spec" hint="As its author wrote it.">
                <Json value={found.spec} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ skill }: { readonly skill: SkillDetailShape }) {
  const { release } = skill;
  const facts = [
    ['State', <SpecBadge key="state" state={skill.state} />],
    ['Trust', <TrustBadge key="trust" release={release} />],
    ['Owner', skill.built_in ? 'built in' : skill.owner],
    ['Released', <Time key="at" at={release?.published_at} empty="not yet" />],
    ['Signed by', describeSigner(release)],
    ['Key', release?.key_id ? <Id key="key" value={release.key_id} chars={8} /> : '–'],
  ] as const;
  return (
    <Card className="mb-6 p-4">
      {skill.description === '' ? null : <p className="mb-4 break-words">{skill.description}</p>}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {release?.reason ? (
        <p className="mt-4 text-sm break-words text-bad">It is not used: {release.reason}.</p>
      ) : null}
    </Card>
  );
}

function describeSigner(release: SkillDetailShape['release']): string {
  if (release?.signed_by === 'own') return 'this runtime';
  return release?.signed_by === 'trusted' ? 'a key that is trusted here' : '–';
}

/** As agents read it; where it is not released yet, as its author wrote it. */
function Words({ skill }: { readonly skill: SkillDetailShape }) {
  const draft = skill.spec?.['instructions_markdown'];
  const text = skill.instructions === '' && typeof draft === 'string' ? draft : skill.instructions;
  if (text === '') return null;
  return (
    <Section
      title="Instructions"
      hint={skill.release === null ? 'Not released: agents do not read it yet.' : undefined}
      actions={<CopyButton text={text} label="Copy instructions" />}
    >
      <Card>
        <Markdown text={text} />
      </Card>
    </Section>
  );
}
