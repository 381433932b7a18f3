import {
  RELEASE_HEADS,
  RELEASES,
  SPEC_OWNERS,
  SPEC_TOTALS,
  SPECS,
} from '../../core/skills/stored-skills.ts';
import { querySql, table } from './table.ts';

export const SPEC_TABLE = table(SPECS, {
  kind: 'id',
  id: 'id',
  version: 'int',
  state: 'id',
  contentHash: 'id',
  submittedBy: 'text',
  owner: 'text',
  createdAtMs: 'ms',
  updatedAtMs: 'ms',
  bytes: 'int',
  document: 'loose',
});

export const RELEASE_TABLE = table(RELEASES, {
  skillId: 'id',
  version: 'int',
  releaseId: 'id',
  publishedAtMs: 'ms',
  document: 'loose',
});

export const SKILL_QUERIES = [
  querySql(SPEC_OWNERS, {
    params: { kind: 'id', id: 'id', operator: 'text' },
    answer: { owner: 'text?' },
    text: `
      select coalesce(
        (select owner from skill_specs where kind = :kind and id = :id limit 1),
        (select :operator from skill_releases where :kind = 'skill' and skill_id = :id limit 1)
      ) as owner`,
  }),
  // Sizes are added up without reading a document.
  querySql(SPEC_TOTALS, {
    params: { kind: 'id', owner: 'text?' },
    answer: { specs: 'int', bytes: 'int' },
    text: `
      select count(*) as specs, cast(coalesce(sum(bytes), 0) as bigint) as bytes from skill_specs
      where kind = :kind and (:owner is null or owner = :owner)`,
  }),
  querySql(RELEASE_HEADS, {
    params: { limit: 'int' },
    answer: {
      skillId: 'id',
      version: 'int',
      releaseId: 'id',
      publishedAtMs: 'ms',
      owner: 'text?',
      state: 'id?',
    },
    text: `
      select r.skill_id, r.version, r.release_id, r.published_at_ms, s.owner, s.state
      from skill_releases r
      left join skill_specs s on s.kind = 'skill' and s.id = r.skill_id and s.version = r.version
      order by r.skill_id, r.version limit :limit`,
  }),
];
