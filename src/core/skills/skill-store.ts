import type { JsonObject } from '../json.ts';
import type { SpecState } from './spec-state.ts';

/** ToolSpecs, SkillSpecs and their immutable releases. Each method is one transaction. */
export interface SkillStore {
  /** What becomes of it is `settleSpec`'s to say, under the lock of the row. */
  putSpec(put: PutSpec, bounds: SpecBounds): Promise<PutSpecResult>;
  findSpec(key: SpecKey): Promise<StoredSpec | undefined>;
  /** All of a kind, by id and version; `SpecBounds` keep them few. */
  listSpecs(kind: SpecKind): Promise<StoredSpec[]>;
  /** The release and the new state of its spec together, as `settlePublication` says. */
  publish(publication: Publication): Promise<PublishResult>;
  /** As it was stored; nobody has looked at its signature. */
  findRelease(skillId: string, version: number): Promise<StoredRelease | undefined>;
  /** Without their content, by skill and version. */
  listReleases(): Promise<ReleaseHead[]>;
}

export type SpecKind = 'tool' | 'skill';

export interface SpecKey {
  readonly kind: SpecKind;
  readonly id: string;
  readonly version: number;
}

export interface StoredSpec extends SpecKey {
  readonly state: SpecState;
  readonly document: JsonObject;
  /** Of the document: equal content, equal hash. */
  readonly contentHash: string;
  readonly submittedBy: string;
  /** Whose the id is, with all its versions: whoever made the first one. */
  readonly owner: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type PutSpec = Omit<StoredSpec, 'owner' | 'createdAtMs' | 'updatedAtMs'>;

/** What a store has found where a spec is put. */
export interface FoundSpec {
  readonly stored: StoredSpec | undefined;
  /** Whose the id is; undefined when nobody has made it yet. */
  readonly owner: string | undefined;
}

/** Of one kind, all versions together: lists are answered whole. */
export interface SpecBounds extends SpecRoom {
  /** For what one owner has of them; left out, only the bounds for all hold. */
  readonly ofOwner?: SpecRoom;
}

export interface SpecRoom {
  readonly maxSpecs: number;
  readonly maxBytes: number;
}

export type PutSpecResult =
  | { readonly outcome: 'stored'; readonly spec: StoredSpec }
  | {
      readonly outcome: 'refused';
      readonly reason: 'immutable' | 'backward';
      readonly state: SpecState;
    }
  /** The id is somebody else's. */
  | { readonly outcome: 'foreign' }
  | { readonly outcome: 'full' | 'owner_full' };

export interface Publication {
  readonly release: StoredRelease;
  /** What was compiled, stored when it is not yet there; undefined for a skill that is built in. */
  readonly source: PutSpec | undefined;
}

export type PublishResult =
  | { readonly outcome: 'published' | 'exists'; readonly release: StoredRelease }
  /** The spec is not any more, or not yet, what was compiled. */
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'refused'; readonly state: SpecState };

export interface StoredRelease {
  readonly skillId: string;
  readonly version: number;
  readonly releaseId: string;
  readonly publishedAtMs: number;
  /** The whole release. */
  readonly document: JsonObject;
}

export interface ReleaseHead extends Omit<StoredRelease, 'document'> {
  /** Whose the skill is; the operator's when it has no spec. */
  readonly owner: string;
  /** Of its spec; undefined for a skill that is built in. */
  readonly state: SpecState | undefined;
}
