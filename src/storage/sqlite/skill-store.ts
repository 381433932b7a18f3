import type { SkillStore } from '../../core/skills/skill-store.ts';
import { decodeHead, decodeRelease, type HeadRow, type ReleaseRow } from '../skill-release-row.ts';
import { MAX_SPECS_READ } from '../skill-rules.ts';
import type { PortDeps } from './port-deps.ts';
import { allRows, getRow } from './rows.ts';
import { SELECT_RELEASE, SELECT_SPEC, type SpecRow, toSpec } from './skill-row.ts';

export function createSkillStore({ db, read, writer }: PortDeps): SkillStore {
  const selectSpec = db.prepare(`${SELECT_SPEC} WHERE kind = ? AND id = ? AND version = ?`);
  const selectSpecs = db.prepare(
    `${SELECT_SPEC} WHERE kind = ? ORDER BY id, version LIMIT ${MAX_SPECS_READ}`,
  );
  const selectRelease = db.prepare(SELECT_RELEASE);
  const selectHeads = db.prepare(`
    SELECT r.skill_id, r.version, r.release_id, r.published_at_ms, s.state, s.owner
    FROM skill_releases r
    LEFT JOIN skill_specs s ON s.kind = 'skill' AND s.id = r.skill_id AND s.version = r.version
    ORDER BY r.skill_id, r.version LIMIT ${MAX_SPECS_READ}`);

  return {
    putSpec: (put, bounds) => writer.submit('putSpec', put, bounds),
    publish: (publication) => writer.submit('publishSkill', publication),

    findSpec: ({ kind, id, version }) =>
      read(() => {
        const row = getRow<SpecRow>(selectSpec, kind, id, version);
        return row && toSpec(row);
      }),

    listSpecs: (kind) => read(() => allRows<SpecRow>(selectSpecs, kind).map(toSpec)),

    findRelease: (skillId, version) =>
      read(() => {
        const row = getRow<ReleaseRow>(selectRelease, skillId, version);
        return row && decodeRelease(row);
      }),

    listReleases: () => read(() => allRows<HeadRow>(selectHeads).map(decodeHead)),
  };
}
