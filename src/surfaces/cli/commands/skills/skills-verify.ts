import { SPEC_ID_PATTERN } from '../../../../core/skills/spec-fields.ts';
import {
  type SignatureState,
  toSignatureState,
} from '../../../../operations/skills/skill-codec.ts';
import { formatTable } from '../../print/layout.ts';
import { defineCommand } from '../../program/command.ts';
import { withSkills } from './open-skills.ts';
import { namingSkill, parseSkillArgument, parseVersionArgument } from './skill-arguments.ts';
import { formatSignature } from './skill-text.ts';
import type { LocalSkills } from './skills-access.ts';

const COMMAND = 'skills verify';

interface CheckedRelease extends SignatureState {
  /** Null for an altered folder, which may say anything. */
  readonly skill_id: string | null;
  readonly version: number | null;
}

export const skillsVerify = defineCommand({
  usage: '[SKILL [VERSION] | FOLDER]',
  description:
    'Checks the hash and the signature of every release in the store, of one skill, or of a folder that was exported.\n' +
    'Exit code 1 when one was altered or is signed with a key that is not trusted here; its public key is shown in JSON.',
  args: { min: 0, max: 2 },
  options: {},
  examples: [
    'claw skills verify',
    'claw skills verify github-coding 1',
    'claw skills verify ./release-notes --output-format json',
  ],
  run: ({ args }, context) =>
    withSkills(context, 'read', async (local) => ({ checked: await check(local, args) })),
  fields: ({ checked }) => ({
    releases_count: checked.length,
    releases: checked.map((each) => ({ ...each })),
    via: 'local',
  }),
  text({ checked }, style) {
    if (checked.length === 0) return '(nothing is released)';
    return formatTable(
      checked.map((each) => [
        each.skill_id ?? '?',
        each.version === null ? '' : `v${each.version}`,
        each.key_id ?? '',
        [formatSignature(each, style), each.reason ?? ''].join(' ').trimEnd(),
      ]),
    );
  },
  failure({ checked }) {
    const bad = checked.filter(({ signature }) => signature !== 'valid');
    const [first] = bad;
    if (first === undefined) return undefined;
    const name = `${first.skill_id ?? 'the folder'} ${first.version ?? ''}`.trimEnd();
    return {
      exitCode: 1,
      error: {
        kind: 'policy',
        operation: 'verify_release',
        target: name,
        retryable: false,
        message: `${bad.length} of ${checked.length} can't be used, first ${name}: ${first.reason}`,
        hint:
          first.signature === 'altered'
            ? 'restore it from a backup, or get it again from whoever signed it'
            : `add ${first.public_key} to skills.trusted_keys if you trust its owner`,
      },
    };
  },
});

async function check(local: LocalSkills, args: readonly string[]): Promise<CheckedRelease[]> {
  const { releases } = local.skills;
  const [first, second] = args;
  const heads = await releases.list();
  const isSkill =
    first !== undefined &&
    SPEC_ID_PATTERN.test(first) &&
    (second !== undefined || heads.some(({ skillId }) => skillId === first));
  if (first !== undefined && second === undefined && !isSkill)
    return [await checkFolder(local, first)];
  if (second !== undefined) {
    const skillId = parseSkillArgument(first, COMMAND);
    const version = parseVersionArgument(second, COMMAND);
    // Says so when there is none.
    const examined = await releases.examine(skillId, version);
    if (!examined) await namingSkill(skillId, version, releases.get(skillId, version));
    return examined ? [{ skill_id: skillId, version, ...toSignatureState(examined) }] : [];
  }
  const checked: CheckedRelease[] = [];
  for (const { skillId, version } of heads) {
    if (first !== undefined && skillId !== first) continue;
    const examined = await releases.examine(skillId, version);
    if (examined) checked.push({ skill_id: skillId, version, ...toSignatureState(examined) });
  }
  return checked;
}

async function checkFolder(local: LocalSkills, path: string): Promise<CheckedRelease> {
  const examined = await local.skills.exchange.examineFolder(await local.readFolder(path));
  const release = examined.verdict === 'altered' ? undefined : examined.release;
  return {
    skill_id: release?.skill_id ?? null,
    version: release?.version ?? null,
    ...toSignatureState(examined),
  };
}
