import * as z from 'zod';
import type { JsonObject } from '../json.ts';
import { checkDocument } from './check-document.ts';
import { BUNDLE_FORMAT } from './skill-bundle.ts';
import { skillFiles } from './skill-files.ts';
import type { SkillRelease } from './skill-release.ts';
import { MAX_SKILL_BYTES } from './skill-spec.ts';
import { specId, specVersion } from './spec-fields.ts';
import { toSpecProblems } from './spec-problem.ts';
import type { ParsedSpec } from './tool-spec.ts';

/** The bundle repeats what the spec holds, and a signature comes on top. */
export const MAX_RELEASE_BYTES = MAX_SKILL_BYTES + 64 * 1024;

const text = z.string().max(1_024);
const instant = z.iso.datetime();
const root = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .max(64);

const release = z.strictObject({
  release_id: text,
  skill_id: specId,
  version: specVersion,
  bundle_hash: text,
  published_at: instant,
  published_by: text,
  bundle: z
    .strictObject({
      bundle_format: z.literal(BUNDLE_FORMAT),
      root,
      files: z.record(z.string(), z.string()),
      directories: z.record(z.string(), skillFiles),
      tool_manifest_refs: z
        .array(
          z.looseObject({
            tool_id: specId,
            version: specVersion,
            integration_id: text,
            tool_pack: text,
          }),
        )
        .max(100),
    })
    .refine(({ root, files }) => Object.keys(files).join() === `${root}/SKILL.md`, {
      path: ['files'],
      error: 'must hold SKILL.md alone, under the root',
    })
    .refine(
      ({ root, directories }) =>
        Object.keys(directories).every((path) =>
          ['scripts', 'references', 'assets'].some((name) => path === `${root}/${name}`),
        ),
      { path: ['directories'], error: 'must be scripts, references and assets, under the root' },
    ),
  compatibility_report: z.strictObject({
    validator: z.literal('agent_skills_shape.v1'),
    compatible: z.literal(true),
    root,
    required_files: z.array(text).max(10),
    checked_at: instant,
  }),
  signature: z.strictObject({
    algorithm: z.literal('ed25519'),
    key_id: text,
    public_key: text,
    value: text,
  }),
});

/** Distrusts a release from a file or a database row. Who signed it is another question. */
export function parseRelease(document: JsonObject): ParsedSpec<SkillRelease> {
  const unfit = checkDocument(document, MAX_RELEASE_BYTES);
  if (unfit.length > 0) return { outcome: 'invalid', problems: unfit };
  const parsed = release.safeParse(document);
  return parsed.success
    ? { outcome: 'valid', spec: parsed.data }
    : { outcome: 'invalid', problems: toSpecProblems(parsed.error.issues, document) };
}
