import { Link } from 'wouter';
import { isToldOf } from '../../../../../src/core/agents/agent-skills.ts';
import { OPERATOR } from '../../../../../src/core/principal.ts';
import { listAgents } from '../../../../../src/operations/agents/agents.ts';
import type { SkillShape } from '../../../../../src/operations/skills/skill-shapes.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Section } from '../../../kit/page.tsx';

const LOOKED_AT = 200;

/** Who may use it: what the operator published is for agents that name it or name none, what a user did is for that user. */
export function SkillReaders({ skill }: { readonly skill: SkillShape }) {
  if (!skill.current) return null;
  if (skill.owner === OPERATOR) return <Agents skillId={skill.skill_id} />;
  return (
    <Section title="Who is told of it">
      <p className="break-words">Runs that are made for {skill.owner}, and no others.</p>
    </Section>
  );
}

function Agents({ skillId }: { readonly skillId: string }) {
  const agents = useRead(listAgents, { query: { limit: LOOKED_AT } });
  return (
    <Section title="Who is told of it" hint="Agents that name it among their skills, or name none.">
      <Loaded query={agents} rows={1}>
        {({ agents: all, next_cursor }) => {
          const told = all.filter(({ skills }) => isToldOf(skills, skillId));
          if (told.length === 0) return <p className="text-muted">No agent.</p>;
          return (
            <ul className="flex flex-wrap gap-2">
              {told.map(({ agent_id, name }) => (
                <li key={agent_id}>
                  <Link
                    href={`/agents/${encodeURIComponent(agent_id)}/permissions`}
                    className="inline-block rounded-md border border-line bg-surface px-2 py-1 text-sm break-words hover:bg-sunken"
                  >
                    {name}
                  </Link>
                </li>
              ))}
              {next_cursor === null ? null : <li className="text-muted">and maybe more</li>}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}
