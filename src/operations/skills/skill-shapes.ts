import { z } from 'zod';
import { MAX_SPEC_VERSION, specId } from '../../core/skills/spec-fields.ts';
import { SPEC_STATES } from '../../core/skills/spec-state.ts';
import { anyJson, integerParam, isoDate } from '../fields.ts';

/** Skills and their releases as `/api/admin` shows them. */
export const skillParams = z.strictObject({
  skill_id: specId.meta({ examples: ['release-notes'] }),
  version: integerParam(1, MAX_SPEC_VERSION),
});

const skillRelease = z.object({
  release_id: z.string(),
  published_at: isoDate,
  signature: z.enum(['valid', 'untrusted', 'altered']).meta({
    description: 'Only a release with a valid one is used.',
  }),
  signed_by: z.enum(['own', 'trusted']).nullable(),
  key_id: z.string().nullable(),
  public_key: z.string().nullable(),
  reason: z.string().nullable().meta({ description: 'Why it is not used.' }),
});

const skill = z.object({
  skill_id: z.string(),
  version: z.int(),
  state: z.enum(SPEC_STATES).nullable().meta({
    description: 'Null for a release whose spec is not here.',
  }),
  owner: z.string().meta({ examples: ['operator'] }),
  built_in: z.boolean(),
  current: z.boolean().meta({ description: 'Whether agents are told of it.' }),
  release: skillRelease.nullable(),
});

const toolSpec = z.object({
  tool_id: z.string(),
  version: z.int(),
  state: z.enum(SPEC_STATES),
  owner: z.string(),
  built_in: z.boolean(),
});

export const skillList = z.object({ skills: z.array(skill), tools: z.array(toolSpec) });

export const skillDetail = skill.extend({
  spec: z.record(z.string(), anyJson).nullable().meta({ description: 'As its author wrote it.' }),
  description: z.string().meta({ description: 'As agents are told; empty without a release.' }),
  instructions: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      encoding: z.enum(['utf8', 'base64']),
      chars: z.int(),
      content: z.string(),
    }),
  ),
});

export type SkillShape = z.infer<typeof skill>;
export type SkillListShape = z.infer<typeof skillList>;
export type SkillDetailShape = z.infer<typeof skillDetail>;
