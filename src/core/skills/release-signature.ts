import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '../json.ts';
import { hashBundle } from './skill-bundle.ts';
import {
  type ReleaseContent,
  type ReleaseSignature,
  type SkillRelease,
  toReleaseId,
} from './skill-release.ts';

/** The private half stays where it was read. */
export interface SigningKey {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** Answers with 64 bytes in base64. */
  sign(text: string): string;
}

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

const KEY_BYTES = 32;
const KEY_ID_CHARS = 16;

/** Short enough to be read aloud; the whole key decides. */
function toKeyId(publicKey: string): string {
  const bytes = Buffer.from(publicKey, 'base64');
  return createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_CHARS);
}

export function signRelease(content: ReleaseContent, key: SigningKey): SkillRelease {
  const signature: ReleaseSignature = {
    algorithm: 'ed25519',
    key_id: toKeyId(key.publicKey),
    public_key: key.publicKey,
    value: key.sign(toSignedText(content)),
  };
  return { ...content, signature };
}

/** Checks the content first: a good signature under something else proves nothing about this. */
export async function judgeRelease(release: SkillRelease, keys: SkillKeys): Promise<Verdict> {
  const reason = findFlaw(release);
  if (reason !== undefined) return { verdict: 'altered', reason };
  const { public_key: signer } = release.signature;
  if ((await keys.findOwn())?.publicKey === signer) return { verdict: 'valid', signedBy: 'own' };
  if (keys.trusted().includes(signer)) return { verdict: 'valid', signedBy: 'trusted' };
  return { verdict: 'untrusted' };
}

function findFlaw(release: SkillRelease): string | undefined {
  const { skill_id: id, version, bundle_hash: hash, signature } = release;
  if (hashBundle(release.bundle) !== hash) return 'its bundle does not have its bundle_hash';
  if (toReleaseId(id, version, hash) !== release.release_id) {
    return 'its release_id does not belong to its bundle_hash';
  }
  if (toKeyId(signature.public_key) !== signature.key_id) {
    return 'its key_id does not belong to its public_key';
  }
  return isSigned(release, signature) ? undefined : 'its content does not match its signature';
}

function isSigned(content: ReleaseContent, signature: ReleaseSignature): boolean {
  const bytes = Buffer.from(signature.public_key, 'base64');
  if (bytes.length !== KEY_BYTES) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const value = Buffer.from(signature.value, 'base64');
  return verify(null, Buffer.from(toSignedText(content)), key, value);
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
