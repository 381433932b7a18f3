import { defineCommand } from '../command.ts';
import { formatTable } from '../layout.ts';
import { withSkills } from '../open-skills.ts';
import { type SignatureState, toSignatureState } from '../skill-text.ts';
import type { LocalSkills } from '../skills-access.ts';

interface ListedSkill {
  readonly skill_id: string;
  readonly version: number;
  /** Null for a release whose spec is not here. */
  readonly state: string | null;
  readonly built_in: boolean;
  readonly release:
    | (SignatureState & { readonly release_id: string; readonly published_at: string })
    | null;
}

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
      skills: await listSkills(local),
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

async function listSkills({ skills: { registry, releases } }: LocalSkills): Promise<ListedSkill[]> {
  const found = new Map<string, ListedSkill>();
  for (const { id, version, state, stored } of await registry.list('skill')) {
    const skill = { skill_id: id, version, state, built_in: stored === undefined, release: null };
    found.set(`${id}@${version}`, skill);
  }
  for (const head of await releases.list()) {
    const { skillId, version, releaseId } = head;
    const examined = await releases.examine(skillId, version);
    if (!examined) continue;
    const key = `${skillId}@${version}`;
    const spec = found.get(key) ?? {
      skill_id: skillId,
      version,
      state: null,
      built_in: false,
    };
    const published_at = new Date(head.publishedAtMs).toISOString();
    const release = { release_id: releaseId, published_at, ...toSignatureState(examined) };
    found.set(key, { ...spec, release });
  }
  return [...found.values()].sort(
    (a, b) => compare(a.skill_id, b.skill_id) || a.version - b.version,
  );
}

function toRow(skill: ListedSkill): string[] {
  const { state, release } = skill;
  const signature = release === null ? 'not released' : `released, signature ${release.signature}`;
  const origin = skill.built_in ? 'built in' : '';
  return [skill.skill_id, `v${skill.version}`, state ?? '-', signature, origin];
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
