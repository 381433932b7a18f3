import { canonicalJson } from '../json.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import { findSignatureFlaw, signText } from './signed-text.ts';
import { hashBundle } from './skill-bundle.ts';
import { type ReleaseContent, type SkillRelease, toReleaseId } from './skill-release.ts';

/** Whose signatures count. */
export interface SkillKeys {
  /** This installation's own; made when there is none. */
  getOwn(): Promise<SigningKey>;
  findOwn(): Promise<SigningKey | undefined>;
  /** Public keys of others, in base64. */
  trusted(): readonly string[];
}

export type Verdict =
  | { readonly verdict: 'valid'; readonly signedBy: 'own' | 'trusted' }
  /** As its author signed it, but nobody here knows the author. */
  | { readonly verdict: 'untrusted' }
  | { readonly verdict: 'altered'; readonly reason: string };

export function signRelease(content: ReleaseContent, key: SigningKey): SkillRelease {
  return { ...content, signature: signText(toSignedText(content), key) };
}

/** Checks the content first: a good signature under something else proves nothing about this. */
export async function judgeRelease(release: SkillRelease, keys: SkillKeys): Promise<Verdict> {
  const reason = findFlaw(release);
  if (reason !== undefined) return { verdict: 'altered', reason };
  const signedBy = await findSigner(release.signature.public_key, keys);
  return signedBy === undefined ? { verdict: 'untrusted' } : { verdict: 'valid', signedBy };
}

/** Undefined for a key that nobody here knows. */
export async function findSigner(
  publicKey: string,
  keys: Pick<SkillKeys, 'findOwn' | 'trusted'>,
): Promise<'own' | 'trusted' | undefined> {
  if ((await keys.findOwn())?.publicKey === publicKey) return 'own';
  return keys.trusted().includes(publicKey) ? 'trusted' : undefined;
}

function findFlaw(release: SkillRelease): string | undefined {
  const { skill_id: id, version, bundle_hash: hash, signature } = release;
  if (hashBundle(release.bundle) !== hash) return 'its bundle does not have its bundle_hash';
  if (toReleaseId(id, version, hash) !== release.release_id) {
    return 'its release_id does not belong to its bundle_hash';
  }
  return findSignatureFlaw(toSignedText(release), signature);
}

/** Member by member: what somebody adds to a stored release is not what was signed. */
function toSignedText(content: ReleaseContent): string {
  return canonicalJson({
    release_id: content.release_id,
    skill_id: content.skill_id,
    version: content.version,
    bundle_hash: content.bundle_hash,
    published_at: content.published_at,
    published_by: content.published_by,
    bundle: content.bundle,
    compatibility_report: content.compatibility_report,
  });
}
