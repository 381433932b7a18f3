import { defineCommand } from '../../program/command.ts';
import { PUBLISHED_BY, withSkills } from './open-skills.ts';
import { toReleaseFields } from './skill-text.ts';

export const skillsInstall = defineCommand({
  usage: 'FOLDER [--allow-untrusted]',
  description:
    'Takes a folder that claw skills export wrote. Every file is compared with the signed bundle, and the signature with\n' +
    'the key of this installation and those in skills.trusted_keys. With --allow-untrusted a bundle that nobody here\n' +
    "vouches for is taken all the same, and signed with this installation's key. Read it before: agents will follow it.",
  args: { min: 1, max: 1 },
  options: {
    'allow-untrusted': { kind: 'flag', summary: 'take it on your own word and sign it here' },
  },
  examples: ['claw skills install ./release-notes'],
  run: ({ args, options }, context) =>
    withSkills(context, 'write', async ({ skills, readFolder }) =>
      skills.exchange.install(await readFolder(args[0] ?? ''), {
        by: PUBLISHED_BY,
        allowsUntrusted: options['allow-untrusted'],
      }),
    ),
  fields: ({ release, isResigned, missingTools }) => ({
    ...toReleaseFields(release),
    resigned: isResigned,
    missing_tools: [...missingTools],
    via: 'local',
  }),
  text: ({ release, isResigned, missingTools }) =>
    [
      `skill ${release.skill_id} version ${release.version} is installed${isResigned ? ' and signed here' : ''}`,
      ...(missingTools.length === 0
        ? []
        : [`tools it names and nobody has: ${missingTools.join(', ')}`]),
    ].join('\n'),
});
