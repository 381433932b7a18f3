import { toIso } from '../../core/clock.ts';
import { OPERATOR } from '../../core/principal.ts';
import {
  getDescription,
  getInstructions,
  listBundleFiles,
} from '../../core/skills/bundle-files.ts';
import type { CataloguedSkill, FoundSkill } from '../../core/skills/list-skills.ts';
import type { ExaminedRelease } from '../../core/skills/releases.ts';
import type { ListedSpec } from '../../core/skills/spec-registry.ts';
import type { SkillDetailShape, SkillListShape, SkillShape } from './skill-shapes.ts';

type ReleaseShape = NonNullable<SkillShape['release']>;

/** What is to be said of a signature, for commands and for HTTP alike. */
export type SignatureState = Omit<ReleaseShape, 'release_id' | 'published_at'>;

export function toSignatureState(examined: ExaminedRelease): SignatureState {
  if (examined.verdict === 'altered') {
    const { reason } = examined;
    return { signature: 'altered', signed_by: null, key_id: null, public_key: null, reason };
  }
  const { key_id, public_key } = examined.release.signature;
  return {
    signature: examined.verdict,
    signed_by: examined.verdict === 'valid' ? examined.signedBy : null,
    key_id,
    public_key,
    reason: examined.verdict === 'valid' ? null : 'its key is not trusted here',
  };
}

export function encodeSkillList(
  skills: readonly CataloguedSkill[],
  tools: readonly ListedSpec[],
): SkillListShape {
  return {
    skills: skills.map(encodeSkill),
    tools: tools.map(({ id, version, state, stored }) => ({
      tool_id: id,
      version,
      state,
      owner: stored?.owner ?? OPERATOR,
      built_in: stored === undefined,
    })),
  };
}

export function encodeSkillDetail({ skill, spec }: FoundSkill): SkillDetailShape {
  const examined = skill.release?.examined;
  // What was altered is not shown as if it were the skill.
  const bundle = examined && 'release' in examined ? examined.release.bundle : undefined;
  return {
    ...encodeSkill(skill),
    spec: spec === undefined ? null : { ...spec.document },
    description: bundle === undefined ? '' : getDescription(bundle),
    instructions: bundle === undefined ? '' : getInstructions(bundle),
    files: (bundle === undefined ? [] : listBundleFiles(bundle)).map((file) => ({
      path: file.path,
      encoding: file.encoding ?? 'utf8',
      chars: file.content.length,
      content: file.content,
    })),
  };
}

export function encodeSkill(skill: CataloguedSkill): SkillShape {
  return {
    skill_id: skill.skillId,
    version: skill.version,
    state: skill.state ?? null,
    owner: skill.owner,
    built_in: skill.isBuiltIn,
    current: skill.isCurrent,
    release: skill.release === undefined ? null : encodeRelease(skill.release),
  };
}

function encodeRelease(release: NonNullable<CataloguedSkill['release']>): ReleaseShape {
  return {
    release_id: release.releaseId,
    published_at: toIso(release.publishedAtMs),
    ...toSignatureState(release.examined),
  };
}
