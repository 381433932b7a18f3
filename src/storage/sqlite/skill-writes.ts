import { settlePublication, settleSpec } from '../../core/skills/settle-spec.ts';
import type {
  Publication,
  PublishResult,
  PutSpec,
  PutSpecResult,
  SpecBounds,
  SpecKey,
  StoredSpec,
} from '../../core/skills/skill-store.ts';
import { decodeRelease, type ReleaseRow } from '../skill-release-row.ts';
import { encodeDocument, FULL, hasRoom, type SpecTotals, sizeOf } from '../skill-rules.ts';
import { toJsonText } from './json-text.ts';
import { getRow } from './rows.ts';
import { SELECT_RELEASE, SELECT_SPEC, type SpecRow, toSpec } from './skill-row.ts';
import type { WriteContext } from './write-context.ts';

export function createSkillWrites({ db, nowMs }: WriteContext) {
  const selectSpec = db.prepare(`${SELECT_SPEC} WHERE kind = ? AND id = ? AND version = ?`);
  const selectRelease = db.prepare(SELECT_RELEASE);
  const addUp = db.prepare(
    'SELECT count(*) AS specs, coalesce(sum(bytes), 0) AS bytes FROM skill_specs WHERE kind = ?',
  );
  const upsert = db.prepare(`
    INSERT INTO skill_specs (
      kind, id, version, state, content_hash, submitted_by, created_at_ms, updated_at_ms, bytes, document
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, id, version) DO UPDATE SET
      state = excluded.state, content_hash = excluded.content_hash,
      submitted_by = excluded.submitted_by, updated_at_ms = excluded.updated_at_ms,
      bytes = excluded.bytes, document = excluded.document`);
  const insertRelease = db.prepare(`
    INSERT INTO skill_releases (skill_id, version, release_id, published_at_ms, document)
    VALUES (?, ?, ?, ?, ?)`);

  function find({ kind, id, version }: SpecKey): StoredSpec | undefined {
    const row = getRow<SpecRow>(selectSpec, kind, id, version);
    return row && toSpec(row);
  }

  function save(spec: StoredSpec): void {
    const { kind, id, version, state, contentHash, createdAtMs, updatedAtMs } = spec;
    const document = encodeDocument(spec.document);
    const by = toJsonText(spec.submittedBy);
    const times = [createdAtMs, updatedAtMs];
    upsert.run(kind, id, version, state, contentHash, by, ...times, sizeOf(document), document);
  }

  return {
    putSpec(put: PutSpec, bounds: SpecBounds): PutSpecResult {
      const stored = find(put);
      const result = settleSpec(stored, put, nowMs());
      if (result.outcome === 'refused' || result.spec === stored) return result;
      const totals = getRow<SpecTotals>(addUp, put.kind) ?? { specs: 0, bytes: 0 };
      if (!hasRoom(totals, { stored, next: result.spec }, bounds)) return FULL;
      save(result.spec);
      return result;
    },

    publishSkill(publication: Publication): PublishResult {
      const { skillId, version, releaseId, publishedAtMs, document } = publication.release;
      const row = getRow<ReleaseRow>(selectRelease, skillId, version);
      const release = row && decodeRelease(row);
      const spec = find({ kind: 'skill', id: skillId, version });
      const settled = settlePublication({ release, spec }, publication, nowMs());
      if (settled.result.outcome !== 'published') return settled.result;
      if (settled.spec) save(settled.spec);
      insertRelease.run(skillId, version, releaseId, publishedAtMs, encodeDocument(document));
      return settled.result;
    },
  };
}
