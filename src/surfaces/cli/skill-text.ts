import type { ExaminedRelease } from '../../core/skills/releases.ts';
import type { SkillRelease } from '../../core/skills/skill-release.ts';
import type { Style } from './style.ts';

/** What is to be said of a signature, as commands show it. */
export interface SignatureState {
  readonly signature: 'valid' | 'untrusted' | 'altered';
  readonly signed_by: 'own' | 'trusted' | null;
  readonly key_id: string | null;
  readonly public_key: string | null;
  readonly reason: string | null;
}

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
