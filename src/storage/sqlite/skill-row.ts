import type { StoredSpec } from '../../core/skills/skill-store.ts';
import { decodeDocument } from '../skill-rules.ts';
import { parseJsonText } from './json-text.ts';

export const SELECT_SPEC = `
  SELECT kind, id, version, state, content_hash, submitted_by, owner, created_at_ms, updated_at_ms, document
  FROM skill_specs`;

export interface SpecRow {
  readonly kind: StoredSpec['kind'];
  readonly id: string;
  readonly version: number;
  readonly state: StoredSpec['state'];
  readonly content_hash: string;
  readonly submitted_by: string;
  readonly owner: string;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly document: string;
}

export function toSpec(row: SpecRow): StoredSpec {
  return {
    kind: row.kind,
    id: row.id,
    version: row.version,
    state: row.state,
    document: decodeDocument(row.document),
    contentHash: row.content_hash,
    submittedBy: parseJsonText(row.submitted_by),
    owner: parseJsonText(row.owner),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

export const SELECT_RELEASE = 'SELECT * FROM skill_releases WHERE skill_id = ? AND version = ?';
