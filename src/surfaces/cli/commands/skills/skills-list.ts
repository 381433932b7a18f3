import { type CataloguedSkill, listSkills } from '../../../../core/skills/list-skills.ts';
import { encodeSkill } from '../../../../operations/skills/skill-codec.ts';
import type { SkillShape } from '../../../../operations/skills/skill-shapes.ts';
import { formatTable } from '../../print/layout.ts';
import { defineCommand } from '../../program/command.ts';
import { withSkills } from './open-skills.ts';

type ListedSkill = Omit<SkillShape, 'owner' | 'current'>;

export const skillsList = defineCommand({
  usage: '',
  description:
    'Specs of skills and tools by id and version, those that are built in too, and of each released skill whether its\n' +
    'signature holds. Agents are told of the newest release of each skill that is not deprecated.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw skills list', 'claw skills list --output-format json'],
  run: (_, context) =>
    withSkills(context, 'read', async (local) => ({
      skills: (await listSkills(local.skills)).map(toListed),
      tools: (await local.skills.registry.list('tool')).map(({ id, version, state, stored }) => ({
        tool_id: id,
        version,
        state,
        built_in: stored === undefined,
      })),
    })),
  fields: ({ skills, tools }) => ({
    skills_count: skills.length,
    skills: skills.map((skill) => ({ ...skill, release: skill.release && { ...skill.release } })),
    tools_count: tools.length,
    tools,
    via: 'local',
  }),
  text: ({ skills, tools }, style) =>
    [
      style.bold('skills'),
      formatTable(skills.map(toRow)),
      '',
      style.bold('tools'),
      formatTable(
        tools.map((tool) => [
          tool.tool_id,
          `v${tool.version}`,
          tool.state,
          tool.built_in ? 'built in' : '',
        ]),
      ),
    ].join('\n'),
});

function toListed(skill: CataloguedSkill): ListedSkill {
  const { owner: _owner, current: _current, ...listed } = encodeSkill(skill);
  return listed;
}

function toRow(skill: ListedSkill): string[] {
  const { state, release } = skill;
  const signature = release === null ? 'not released' : `released, signature ${release.signature}`;
  const origin = skill.built_in ? 'built in' : '';
  return [skill.skill_id, `v${skill.version}`, state ?? '-', signature, origin];
}
