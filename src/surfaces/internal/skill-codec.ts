import type { z } from 'zod';
import type { SkillRelease } from '../../core/skills/skill-release.ts';
import { hashContent, type ListedSpec } from '../../core/skills/spec-registry.ts';
import type { releaseAnswer, releaseReceipt, skillSpecList, toolSpecList } from './skill-schema.ts';

type ToolSpecShape = z.input<typeof toolSpecList>['data'][number];
type SkillSpecShape = z.input<typeof skillSpecList>['data'][number];

export function encodeToolSpec(spec: ListedSpec): ToolSpecShape {
  return { ...encodeSpec(spec), tool_id: spec.id };
}

export function encodeSkillSpec(spec: ListedSpec): SkillSpecShape {
  return { ...encodeSpec(spec), skill_id: spec.id };
}

/** What its author wrote comes first: it can't say anything about its state or who submitted it. */
function encodeSpec({ document, version, state, stored }: ListedSpec) {
  return {
    ...document,
    version,
    state,
    content_hash: stored?.contentHash ?? hashContent(document),
    submitted_by: stored?.submittedBy ?? null,
    created_at: stored ? new Date(stored.createdAtMs).toISOString() : null,
    updated_at: stored ? new Date(stored.updatedAtMs).toISOString() : null,
  };
}

export function encodeReleaseReceipt(release: SkillRelease): z.input<typeof releaseReceipt> {
  return { data: encodeHead(release) };
}

export function encodeRelease(release: SkillRelease): z.input<typeof releaseAnswer> {
  const { bundle, compatibility_report: report, signature } = release;
  return {
    data: {
      ...encodeHead(release),
      published_by: release.published_by,
      bundle: {
        bundle_format: bundle.bundle_format,
        root: bundle.root,
        files: { ...bundle.files },
        directories: Object.fromEntries(
          Object.entries(bundle.directories).map(([path, files]) => [path, [...files]]),
        ),
        tool_manifest_refs: [...bundle.tool_manifest_refs],
      },
      compatibility_report: { ...report, required_files: [...report.required_files] },
      signature: {
        algorithm: signature.algorithm,
        key_id: signature.key_id,
        public_key: signature.public_key,
        value: signature.value,
      },
    },
  };
}

function encodeHead(release: SkillRelease) {
  return {
    release_id: release.release_id,
    skill_id: release.skill_id,
    version: release.version,
    bundle_hash: release.bundle_hash,
    published_at: release.published_at,
  };
}
