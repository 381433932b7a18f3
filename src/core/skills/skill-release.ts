import { createHash } from 'node:crypto';
import { canonicalJson } from '../json.ts';
import type { Signature } from './signed-text.ts';
import { hashBundle, type SkillBundle } from './skill-bundle.ts';
import { SKILL_FILE } from './skill-file-name.ts';

/** What is signed of a release: everything but the signature. It is a document, in the words of the contract. */
export interface ReleaseContent {
  readonly release_id: string;
  readonly skill_id: string;
  readonly version: number;
  readonly bundle_hash: string;
  readonly published_at: string;
  readonly published_by: string;
  readonly bundle: SkillBundle;
  readonly compatibility_report: CompatibilityReport;
}

/** A published skill. It never changes. */
export interface SkillRelease extends ReleaseContent {
  /** Over the canonical JSON of the content. */
  readonly signature: Signature;
}

interface CompatibilityReport {
  readonly validator: 'agent_skills_shape.v1';
  readonly compatible: true;
  readonly root: string;
  readonly required_files: readonly string[];
  readonly checked_at: string;
}

const ID_HEX_CHARS = 24;

export interface ReleaseRequest {
  readonly skillId: string;
  readonly version: number;
  readonly bundle: SkillBundle;
  readonly publishedBy: string;
  readonly nowMs: number;
}

export function createReleaseContent(request: ReleaseRequest): ReleaseContent {
  const { skillId, version, bundle, publishedBy, nowMs } = request;
  const at = new Date(nowMs).toISOString();
  const hash = hashBundle(bundle);
  return {
    release_id: toReleaseId(skillId, version, hash),
    skill_id: skillId,
    version,
    bundle_hash: hash,
    published_at: at,
    published_by: publishedBy,
    bundle,
    compatibility_report: {
      validator: 'agent_skills_shape.v1',
      compatible: true,
      root: bundle.root,
      required_files: [`${bundle.root}/${SKILL_FILE}`],
      checked_at: at,
    },
  };
}

export function toReleaseId(skillId: string, version: number, bundleHash: string): string {
  const digest = createHash('sha256').update(canonicalJson([skillId, version, bundleHash]));
  return `skillrel_${digest.digest('hex').slice(0, ID_HEX_CHARS)}`;
}
