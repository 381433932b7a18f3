import type { ReleaseHead, StoredRelease, StoredSpec } from '../core/skills/skill-store.ts';
import { decodeOwner } from './owner-column.ts';
import { decodeDocument } from './skill-rules.ts';

/** A release as both engines deliver it. */
export interface ReleaseRow {
  readonly skill_id: string;
  readonly version: number;
  readonly release_id: string;
  readonly published_at_ms: number;
  readonly document: string;
}

export function decodeRelease({ document, ...row }: ReleaseRow): StoredRelease {
  return { ...decodeName(row), document: decodeDocument(document) };
}

export type HeadRow = Omit<ReleaseRow, 'document'> & {
  readonly state: StoredSpec['state'] | null;
  readonly owner: string | null;
};

export function decodeHead(row: HeadRow): ReleaseHead {
  return { ...decodeName(row), owner: decodeOwner(row.owner), state: row.state ?? undefined };
}

function decodeName(row: Omit<ReleaseRow, 'document'>) {
  return {
    skillId: row.skill_id,
    version: row.version,
    releaseId: row.release_id,
    publishedAtMs: row.published_at_ms,
  };
}
