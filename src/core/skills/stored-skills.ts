import { RuntimeError } from '../errors.ts';
import { OPERATOR } from '../principal.ts';
import { put } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import { settlePublication, settleSpec } from './settle-spec.ts';
import type {
  Publication,
  PublishResult,
  PutSpec,
  PutSpecResult,
  ReleaseHead,
  SkillStore,
  SpecBounds,
  SpecKind,
  StoredRelease,
  StoredSpec,
} from './skill-store.ts';
import { findFull, type SpecTotals, sizeOf } from './spec-room.ts';

interface SpecRow extends StoredSpec {
  /** Of the document. */
  readonly bytes: number;
}

export const SPECS = collection<SpecRow>()('skill_specs', 'kind', 'id', 'version');
export const RELEASES = collection<StoredRelease>()('skill_releases', 'skillId', 'version');
/** Whose the id is. What was installed without its source has no spec, and is the operator's. */
export const SPEC_OWNERS = query<
  { kind: SpecKind; id: string; operator: string },
  { owner: string | undefined }
>('spec_owners');
/** Of one owner, or of all. */
export const SPEC_TOTALS = query<{ kind: SpecKind; owner: string | undefined }, SpecTotals>(
  'spec_totals',
);
type HeadRow = Omit<ReleaseHead, 'owner'> & { readonly owner: string | undefined };
export const RELEASE_HEADS = query<{ limit: number }, HeadRow>('release_heads');

/** All there can be: `SpecBounds` are far below. */
const MAX_SPECS_READ = 5_000;

/** One writer at a time, for all specs: what is counted does not change meanwhile. */
const locks = () => ['skills'];

const findOwner = (kind: SpecKind, id: string) =>
  ask(SPEC_OWNERS, { kind, id, operator: OPERATOR });

const putSpec = defineWrite({
  name: 'skills.put_spec',
  locks,
  needs: ({ spec: { kind, id, version, submittedBy } }: { spec: PutSpec; bounds: SpecBounds }) => ({
    stored: find(SPECS, { kind, id, version }),
    owners: findOwner(kind, id),
    all: ask(SPEC_TOTALS, { kind, owner: undefined }),
    own: ask(SPEC_TOTALS, { kind, owner: submittedBy }),
  }),
  decide({ stored: row, owners, all, own }, { spec, bounds }, nowMs): Decided<PutSpecResult> {
    const stored = row && toSpec(row);
    const result = settleSpec({ stored, owner: owners[0]?.owner }, spec, nowMs);
    if (result.outcome !== 'stored' || result.spec === stored) return answer(result);
    const next = { ...result.spec, bytes: sizeOf(result.spec.document) };
    const change = { before: row?.bytes, after: next.bytes };
    const full = findFull({ all: all[0], own: own[0] }, change, bounds);
    return full ? answer(full) : { value: result, changes: [put(SPECS, next)] };
  },
});

const publish = defineWrite({
  name: 'skills.publish',
  locks,
  needs: ({ release: { skillId, version } }: Publication) => ({
    release: find(RELEASES, { skillId, version }),
    stored: find(SPECS, { kind: 'skill', id: skillId, version }),
    owners: findOwner('skill', skillId),
  }),
  decide({ release, stored, owners }, publication, nowMs): Decided<PublishResult> {
    const found = {
      release: release && toRelease(release),
      stored: stored && toSpec(stored),
      owner: owners[0]?.owner,
    };
    const { result, spec } = settlePublication(found, publication, nowMs);
    const changes = spec ? [put(SPECS, { ...spec, bytes: sizeOf(spec.document) })] : [];
    if (result.outcome === 'published') changes.push(put(RELEASES, publication.release));
    return { value: result, changes };
  },
});

/** A release as a part of what is stored together with it: a refusal refuses all of that. */
export const restoreRelease = defineWrite({
  name: 'skills.restore',
  locks,
  needs: publish.needs,
  decide(found, publication: Publication, nowMs) {
    const { value, changes } = publish.decide(found, publication, nowMs);
    if (value.outcome === 'published' || value.outcome === 'exists') {
      return { value: undefined, changes };
    }
    const { skillId, version } = publication.release;
    throw new RuntimeError('conflict', `skill ${skillId} version ${version} is another one here`);
  },
});

export const SKILL_WRITES = { putSpec, publish, restoreRelease };

export function createSkillStore({ load, write }: Tables): SkillStore {
  return {
    putSpec: (spec, bounds) => write(putSpec, { spec, bounds }),
    publish: (publication) => write(publish, publication),

    async findSpec({ kind, id, version }) {
      const row = await load(find(SPECS, { kind, id, version }));
      return row && toSpec(row);
    },

    async listSpecs(kind) {
      return (await load(list(SPECS, { of: { kind }, limit: MAX_SPECS_READ }))).map(toSpec);
    },

    async findRelease(skillId, version) {
      const row = await load(find(RELEASES, { skillId, version }));
      return row && toRelease(row);
    },

    async listReleases() {
      const rows = await load(ask(RELEASE_HEADS, { limit: MAX_SPECS_READ }));
      return rows.map(({ owner = OPERATOR, ...head }) => ({ ...head, owner }));
    },
  };
}

/** A document that can't be read is an altered one: whoever checks releases finds it to be none. */
function toSpec({ bytes: _, document, ...spec }: SpecRow): StoredSpec {
  return { ...spec, document: document ?? {} };
}

function toRelease({ document, ...release }: StoredRelease): StoredRelease {
  return { ...release, document: document ?? {} };
}
