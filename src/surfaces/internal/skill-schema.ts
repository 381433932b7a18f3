import { z } from 'zod';
import { MAX_SPEC_VERSION, specId } from '../../core/skills/spec-fields.ts';
import { SPEC_STATES } from '../../core/skills/spec-state.ts';
import { integerParam, isoDate } from '../../operations/fields.ts';
import { jsonObject } from './fields.ts';

/** The wire shapes of tool specs, skill specs and releases in contract 4. */
export const skillParams = z.object({
  skill_id: specId.meta({ examples: ['github-coding-custom'] }),
  version: integerParam(1, MAX_SPEC_VERSION),
});

export const userHeaders = z.object({
  'x-oa-user-id': z.string().optional().meta({ description: 'A positive integer. Needed.' }),
});

const givenState = z
  .string()
  .max(64)
  .optional()
  .meta({
    description: `One of ${SPEC_STATES.join(', ')}; validated when absent. It only moves forward.`,
    examples: ['validated'],
  });

export const toolSpecBody = z.object({ state: givenState, tool_spec: jsonObject });
export const skillSpecBody = z.object({ state: givenState, skill_spec: jsonObject });

const state = z.enum(SPEC_STATES);
const version = z.int();

export const toolSpecReceipt = z.object({
  data: z.object({ tool_id: z.string(), version, state }),
});

export const skillSpecReceipt = z.object({
  data: z.object({ skill_id: z.string(), version, state }),
});

/** Beside what its author wrote. Null for what is built in. */
const kept = {
  state,
  content_hash: z.string(),
  submitted_by: z.string().nullable(),
  created_at: isoDate.nullable(),
  updated_at: isoDate.nullable(),
};

export const toolSpecList = z.object({
  data: z.array(
    z
      .looseObject({
        tool_id: z.string(),
        version,
        tool_pack: z.string().optional().meta({ description: 'Absent from an unfinished draft.' }),
        ...kept,
      })
      .meta({ id: 'ToolSpec', description: 'The whole spec as its author wrote it.' }),
  ),
});

export const skillSpecList = z.object({
  data: z.array(
    z
      .looseObject({ skill_id: z.string(), version, ...kept })
      .meta({ id: 'SkillSpec', description: 'The whole spec as its author wrote it.' }),
  ),
});

const releaseHead = {
  release_id: z.string(),
  skill_id: z.string(),
  version,
  bundle_hash: z.string(),
  published_at: isoDate,
};

export const releaseReceipt = z.object({ data: z.object(releaseHead) });

const bundleFile = z.object({
  path: z.string(),
  content: z.string(),
  encoding: z.enum(['utf8', 'base64']).optional(),
});

export const releaseAnswer = z.object({
  data: z
    .object({
      ...releaseHead,
      published_by: z.string(),
      bundle: z.object({
        bundle_format: z.literal('agent_skills.v1'),
        root: z.string(),
        files: z.record(z.string(), z.string()),
        directories: z.record(z.string(), z.array(bundleFile)),
        tool_manifest_refs: z.array(
          z.object({
            tool_id: z.string(),
            version,
            integration_id: z.string(),
            tool_pack: z.string(),
          }),
        ),
      }),
      compatibility_report: z.object({
        validator: z.literal('agent_skills_shape.v1'),
        compatible: z.literal(true),
        root: z.string(),
        required_files: z.array(z.string()),
        checked_at: isoDate,
      }),
      signature: z
        .object({
          algorithm: z.literal('ed25519'),
          key_id: z.string(),
          public_key: z.string(),
          value: z.string(),
        })
        .meta({ description: 'Over the canonical JSON of the release without this member.' }),
    })
    .meta({ id: 'SkillRelease' }),
});
