import type { CommandSchema } from './command-schema.ts';
import {
  count,
  flag,
  list,
  type Members,
  object,
  oneOf,
  orNull,
  text,
  texts,
  time,
} from './json-schema.ts';

const via = oneOf('local');

const signature: Members = {
  signature: oneOf('valid', 'untrusted', 'altered'),
  signed_by: orNull(oneOf('own', 'trusted')),
  key_id: orNull(text),
  public_key: orNull(text),
  reason: orNull(text),
};

const release: Members = {
  release_id: text,
  skill_id: text,
  version: count,
  name: text,
  bundle_hash: text,
  published_at: time,
  published_by: text,
  key_id: text,
};

export const SKILL_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  'skills list': {
    fields: {
      skills_count: count,
      skills: list(
        object({
          skill_id: text,
          version: count,
          state: orNull(text),
          built_in: flag,
          release: orNull(object({ release_id: text, published_at: time, ...signature })),
        }),
      ),
      tools_count: count,
      tools: list(object({ tool_id: text, version: count, state: text, built_in: flag })),
      via,
    },
  },
  'skills publish': { fields: { ...release, left_out: texts, via } },
  'skills install': { fields: { ...release, resigned: flag, missing_tools: texts, via } },
  'skills verify': {
    fields: {
      releases_count: count,
      releases: list(object({ skill_id: orNull(text), version: orNull(count), ...signature })),
      via,
    },
  },
  'skills export': {
    fields: { ...release, folder: text, files_count: count, files: texts, via },
  },
};
