import { z } from 'zod';
import { type AnswerShapes, count, texts, time } from './answer-fields.ts';

const via = z.literal('local');

const signature = {
  signature: z.enum(['valid', 'untrusted', 'altered']),
  signed_by: z.enum(['own', 'trusted']).nullable(),
  key_id: z.string().nullable(),
  public_key: z.string().nullable(),
  reason: z.string().nullable(),
};

const release = z.object({
  release_id: z.string(),
  skill_id: z.string(),
  version: count,
  name: z.string(),
  bundle_hash: z.string(),
  published_at: time,
  published_by: z.string(),
  key_id: z.string(),
});

const listedSkill = z.object({
  skill_id: z.string(),
  version: count,
  state: z.string().nullable(),
  built_in: z.boolean(),
  release: z.object({ release_id: z.string(), published_at: time, ...signature }).nullable(),
});

const listedTool = z.object({
  tool_id: z.string(),
  version: count,
  state: z.string(),
  built_in: z.boolean(),
});

export const SKILL_SHAPES: AnswerShapes = {
  'skills list': z.object({
    skills_count: count,
    skills: z.array(listedSkill),
    tools_count: count,
    tools: z.array(listedTool),
    via,
  }),
  'skills publish': release.extend({ left_out: texts, via }),
  'skills install': release.extend({ resigned: z.boolean(), missing_tools: texts, via }),
  'skills verify': z.object({
    releases_count: count,
    releases: z.array(
      z.object({ skill_id: z.string().nullable(), version: count.nullable(), ...signature }),
    ),
    via,
  }),
  'skills export': release.extend({
    folder: z.string(),
    files_count: count,
    files: texts,
    via,
  }),
};
