import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { PUBLISHED_BY, withSkills } from './open-skills.ts';
import { namingSkill, parseSkillArgument, parseVersionArgument } from './skill-arguments.ts';
import { toReleaseFields } from './skill-text.ts';

const COMMAND = 'skills publish';

export const skillsPublish = defineCommand({
  usage: 'SKILL VERSION | FOLDER [--id SKILL] [--as-version N]',
  description:
    'Compiles a stored spec, or a folder in the Agent Skills format (SKILL.md, scripts, references, assets), into an\n' +
    "immutable release signed with this installation's key. A folder becomes a spec first: under the name in its front\n" +
    'matter, in the version that holds this content already, else in the next one. Publishing again changes nothing.',
  args: { min: 1, max: 2 },
  options: {
    id: { kind: 'text', value: 'SKILL', summary: 'id for the skill in the folder' },
    'as-version': { kind: 'text', value: 'N', summary: 'version for the skill in the folder' },
  },
  examples: ['claw skills publish ./release-notes', 'claw skills publish github-coding 1'],
  async run({ args, options }, context) {
    const [first = '', second] = args;
    const by = PUBLISHED_BY;
    if (second !== undefined) {
      if (options.id !== undefined || options['as-version'] !== undefined) {
        throw parseError('--id and --as-version are for a folder', { target: COMMAND });
      }
      const skillId = parseSkillArgument(first, COMMAND);
      const version = parseVersionArgument(second, COMMAND);
      const release = await withSkills(context, 'write', ({ skills }) =>
        namingSkill(skillId, version, skills.releases.publish({ skillId, version, by })),
      );
      return { release, leftOut: [] };
    }
    const skillId = options.id === undefined ? undefined : parseSkillArgument(options.id, COMMAND);
    const given = options['as-version'];
    const version = given === undefined ? undefined : parseVersionArgument(given, COMMAND);
    return withSkills(context, 'write', async ({ skills, readFolder }) => {
      const folder = await readFolder(first);
      const request = { by, skillId, version };
      const release = await skills.exchange.publishFolder(folder, request);
      return { release, leftOut: folder.leftOut };
    });
  },
  fields: ({ release, leftOut }) => ({
    ...toReleaseFields(release),
    left_out: [...leftOut],
    via: 'local',
  }),
  text: ({ release, leftOut }) =>
    [
      `skill ${release.skill_id} version ${release.version} is published as ${release.release_id}`,
      ...(leftOut.length === 0 ? [] : [`left out: ${leftOut.join(', ')}`]),
    ].join('\n'),
});
