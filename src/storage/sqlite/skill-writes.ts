import { OPERATOR } from '../../core/principal.ts';
import { settlePublication, settleSpec } from '../../core/skills/settle-spec.ts';
import type {
  FoundSpec,
  Publication,
  PublishResult,
  PutSpec,
  PutSpecResult,
  SpecBounds,
  SpecKey,
  StoredSpec,
} from '../../core/skills/skill-store.ts';
import { decodeRelease, type ReleaseRow } from '../skill-release-row.ts';
import { encodeDocument, findFull, type SpecTotals, sizeOf } from '../skill-rules.ts';
import { parseJsonText, toJsonText } from './json-text.ts';
import { getRow } from './rows.ts';
import { SELECT_RELEASE, SELECT_SPEC, type SpecRow, toSpec } from './skill-row.ts';
import type { WriteContext } from './write-context.ts';

export function createSkillWrites({ db, nowMs }: WriteContext) {
  const selectSpec = db.prepare(`${SELECT_SPEC} WHERE kind = ? AND id = ? AND version = ?`);
  const selectOwner = db.prepare('SELECT owner FROM skill_specs WHERE kind = ? AND id = ? LIMIT 1');
  // What was installed without its source has no spec, and is the operator's.
  const selectAnyRelease = db.prepare('SELECT 1 FROM skill_releases WHERE skill_id = ? LIMIT 1');
  const selectRelease = db.prepare(SELECT_RELEASE);
  const totals = 'SELECT count(*) AS specs, coalesce(sum(bytes), 0) AS bytes FROM skill_specs';
  const addUp = db.prepare(`${totals} WHERE kind = ?`);
  const addUpOwn = db.prepare(`${totals} WHERE kind = ? AND owner = ?`);
  const upsert = db.prepare(`
    INSERT INTO skill_specs (
      kind, id, version, state, content_hash, submitted_by, owner, created_at_ms, updated_at_ms, bytes,
      document
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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

  function findAround(key: SpecKey): FoundSpec {
    const row = getRow<{ owner: string }>(selectOwner, key.kind, key.id);
    const isInstalled = key.kind === 'skill' && getRow(selectAnyRelease, key.id) !== undefined;
    const owner = row ? parseJsonText(row.owner) : isInstalled ? OPERATOR : undefined;
    return { stored: find(key), owner };
  }

  function save(spec: StoredSpec): void {
    const { kind, id, version, state, contentHash, createdAtMs, updatedAtMs } = spec;
    const document = encodeDocument(spec.document);
    const people = [toJsonText(spec.submittedBy), toJsonText(spec.owner)];
    const rest = [createdAtMs, updatedAtMs, sizeOf(document), document];
    upsert.run(kind, id, version, state, contentHash, ...people, ...rest);
  }

  return {
    putSpec(put: PutSpec, bounds: SpecBounds): PutSpecResult {
      const found = findAround(put);
      const { stored } = found;
      const result = settleSpec(found, put, nowMs());
      if (result.outcome !== 'stored' || result.spec === stored) return result;
      const next = result.spec;
      const all = getRow<SpecTotals>(addUp, put.kind);
      const own = getRow<SpecTotals>(addUpOwn, put.kind, toJsonText(put.submittedBy));
      const full = findFull({ all, own }, { stored, next }, bounds);
      if (full) return full;
      save(next);
      return result;
    },

    publishSkill(publication: Publication): PublishResult {
      const { skillId, version, releaseId, publishedAtMs, document } = publication.release;
      const row = getRow<ReleaseRow>(selectRelease, skillId, version);
      const release = row && decodeRelease(row);
      const found = findAround({ kind: 'skill', id: skillId, version });
      const settled = settlePublication({ ...found, release }, publication, nowMs());
      if (settled.result.outcome !== 'published') return settled.result;
      if (settled.spec) save(settled.spec);
      insertRelease.run(skillId, version, releaseId, publishedAtMs, encodeDocument(document));
      return settled.result;
    },
  };
}
