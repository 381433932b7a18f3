import type { StoredRelease, StoredSpec } from '../../core/skills/skill-store.ts';
import { decodeDocument, encodeDocument, sizeOf } from '../skill-rules.ts';
import { type Bulk, bulkInsert, bulkUpsert, type Column, names } from './bulk.ts';
import { decodeText, encodeText } from './text-codec.ts';

const SPEC_FIELDS: readonly Column<StoredSpec>[] = [
  ['kind', 'text', (spec) => spec.kind],
  ['id', 'text', (spec) => spec.id],
  ['version', 'bigint', (spec) => spec.version],
  ['state', 'text', (spec) => spec.state],
  ['content_hash', 'text', (spec) => spec.contentHash],
  ['submitted_by', 'text', (spec) => encodeText(spec.submittedBy)],
  ['owner', 'text', (spec) => encodeText(spec.owner)],
  ['created_at_ms', 'bigint', (spec) => spec.createdAtMs],
  ['updated_at_ms', 'bigint', (spec) => spec.updatedAtMs],
  ['bytes', 'bigint', (spec) => sizeOf(encodeDocument(spec.document))],
  ['document', 'text', (spec) => encodeDocument(spec.document)],
];

export const SPEC_COLUMNS = names(SPEC_FIELDS);
export const UPSERT_SPEC: Bulk<StoredSpec> = bulkUpsert({
  table: 'skill_specs',
  columns: SPEC_FIELDS,
  key: 'kind, id, version',
  changing: ['state', 'content_hash', 'submitted_by', 'updated_at_ms', 'bytes', 'document'],
});

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

export function decodeSpec(row: SpecRow): StoredSpec {
  return {
    kind: row.kind,
    id: row.id,
    version: row.version,
    state: row.state,
    document: decodeDocument(row.document),
    contentHash: row.content_hash,
    submittedBy: decodeText(row.submitted_by),
    owner: decodeText(row.owner),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

const RELEASE_FIELDS: readonly Column<StoredRelease>[] = [
  ['skill_id', 'text', (release) => release.skillId],
  ['version', 'bigint', (release) => release.version],
  ['release_id', 'text', (release) => release.releaseId],
  ['published_at_ms', 'bigint', (release) => release.publishedAtMs],
  ['document', 'text', (release) => encodeDocument(release.document)],
];

export const RELEASE_COLUMNS = names(RELEASE_FIELDS);
export const INSERT_RELEASE = bulkInsert('skill_releases', RELEASE_FIELDS);
