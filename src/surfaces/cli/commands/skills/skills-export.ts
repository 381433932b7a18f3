import { defineCommand } from '../../program/command.ts';
import { withSkills } from './open-skills.ts';
import { namingSkill, parseSkillArgument, parseVersionArgument } from './skill-arguments.ts';
import { toReleaseFields } from './skill-text.ts';

const COMMAND = 'skills export';

export const skillsExport = defineCommand({
  usage: 'SKILL VERSION FOLDER',
  description:
    'Writes the files of a release into a folder that does not exist yet, or is empty, with skill-release.json: the\n' +
    'signed release, so that claw skills install can check it elsewhere. Other programs read the folder as it is.',
  args: { min: 3, max: 3 },
  options: {},
  examples: ['claw skills export github-coding 1 ./github-coding'],
  run({ args }, context) {
    const [id, versionText, path = ''] = args;
    const skillId = parseSkillArgument(id, COMMAND);
    const version = parseVersionArgument(versionText, COMMAND);
    return withSkills(context, 'read', async ({ skills, writeFolder }) => {
      const exported = skills.exchange.exportRelease(skillId, version);
      const skill = await namingSkill(skillId, version, exported);
      return { skill, folder: await writeFolder(path, skill) };
    });
  },
  fields: ({ skill, folder }) => ({
    ...toReleaseFields(skill.release),
    folder,
    files_count: skill.files.length,
    files: skill.files.map(({ path }) => path),
    via: 'local',
  }),
  text: ({ skill, folder }) =>
    `skill ${skill.release.skill_id} version ${skill.release.version} is in ${folder}`,
});
