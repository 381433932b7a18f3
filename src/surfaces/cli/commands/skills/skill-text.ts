import type { SkillRelease } from '../../../../core/skills/skill-release.ts';
import type { SignatureState } from '../../../../operations/skills/skill-codec.ts';
import type { Style } from '../../print/style.ts';

export function formatSignature(
  { signature, signed_by: by }: SignatureState,
  style: Style,
): string {
  if (signature !== 'valid') return style.red(signature);
  return style.green(by === 'own' ? 'signed here' : 'signed by a trusted key');
}

/** The members of a release that commands print. */
export function toReleaseFields(release: SkillRelease) {
  return {
    release_id: release.release_id,
    skill_id: release.skill_id,
    version: release.version,
    name: release.bundle.root,
    bundle_hash: release.bundle_hash,
    published_at: release.published_at,
    published_by: release.published_by,
    key_id: release.signature.key_id,
  };
}
