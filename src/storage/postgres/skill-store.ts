import { settlePublication, settleSpec } from '../../core/skills/settle-spec.ts';
import type {
  Publication,
  PublishResult,
  PutSpec,
  PutSpecResult,
  SkillStore,
  SpecBounds,
  SpecKey,
  SpecKind,
} from '../../core/skills/skill-store.ts';
import { decodeHead, decodeRelease, type HeadRow, type ReleaseRow } from '../skill-release-row.ts';
import { findFull, MAX_SPECS_READ, type SpecTotals } from '../skill-rules.ts';
import { toStatements } from './bulk.ts';
import { readMark } from './mark.ts';
import {
  decodeSpec,
  INSERT_RELEASE,
  RELEASE_COLUMNS,
  SPEC_COLUMNS,
  type SpecRow,
  UPSERT_SPEC,
} from './skill-row.ts';
import type { StoreDeps } from './store-deps.ts';
import { decodeText, encodeText, isStorableId } from './text-codec.ts';
import type { Transaction } from './transact-once.ts';

const FIND_SPEC = `
  select ${SPEC_COLUMNS} from skill_specs where kind = $1 and id = $2 and version = $3`;
const LIST_SPECS = `
  select ${SPEC_COLUMNS} from skill_specs where kind = $1
  order by id, version limit ${MAX_SPECS_READ}`;
const TOTALS = `
  select count(*) as specs, coalesce(sum(bytes), 0)::bigint as bytes
  from skill_specs where kind = $1 and ($2::text is null or owner = $2)`;
// What was installed without its source has no spec, and is the operator's.
const FIND_OWNER = `
  select coalesce(
    (select owner from skill_specs where kind = $1 and id = $2 limit 1),
    (select '"operator"' from skill_releases where $1 = 'skill' and skill_id = $2 limit 1)
  ) as owner`;
const FIND_RELEASE = `
  select ${RELEASE_COLUMNS} from skill_releases where skill_id = $1 and version = $2`;
const LIST_HEADS = `
  select r.skill_id, r.version, r.release_id, r.published_at_ms, s.state, s.owner
  from skill_releases r
  left join skill_specs s on s.kind = 'skill' and s.id = r.skill_id and s.version = r.version
  order by r.skill_id, r.version limit ${MAX_SPECS_READ}`;
// One writer at a time, for all specs: what is counted does not change meanwhile. Readers are not held up.
const LOCK = 'lock table skill_specs in exclusive mode';

export function createSkillStore(deps: StoreDeps): SkillStore {
  const { database } = deps;
  return {
    putSpec: (put, bounds) => putSpec(deps, put, bounds),
    publish: (publication) => publish(deps, publication),

    async findSpec({ kind, id, version }) {
      if (!isStorableId(id)) return undefined;
      const values = [kind, id, version];
      const statement = { name: 'find_skill_spec', text: FIND_SPEC, values };
      const [row] = await database.read<SpecRow>(statement);
      return row && decodeSpec(row);
    },

    async listSpecs(kind) {
      const statement = { name: 'list_skill_specs', text: LIST_SPECS, values: [kind] };
      return (await database.read<SpecRow>(statement)).map(decodeSpec);
    },

    async findRelease(skillId, version) {
      if (!isStorableId(skillId)) return undefined;
      const values = [skillId, version];
      const statement = { name: 'find_skill_release', text: FIND_RELEASE, values };
      const [row] = await database.read<ReleaseRow>(statement);
      return row && decodeRelease(row);
    },

    async listReleases() {
      const statement = { name: 'list_skill_releases', text: LIST_HEADS, values: [] };
      return (await database.read<HeadRow>(statement)).map(decodeHead);
    },
  };
}

function putSpec(
  { database, nowMs }: StoreDeps,
  put: PutSpec,
  bounds: SpecBounds,
): Promise<PutSpecResult> {
  return database.transact<PutSpecResult>(async (transaction) => {
    const key = [put.kind, put.id, put.version];
    const [, [row], owner, all, own, { xid, nowMs: atMs }] = await Promise.all([
      lock(transaction),
      transaction.query<SpecRow>({ name: 'find_skill_spec', text: FIND_SPEC, values: key }),
      findOwner(transaction, put),
      addUp(transaction, [put.kind, null]),
      addUp(transaction, [put.kind, encodeText(put.submittedBy)]),
      readMark(transaction, nowMs?.()),
    ]);
    const stored = row && decodeSpec(row);
    const result = settleSpec({ stored, owner }, put, atMs);
    if (result.outcome !== 'stored' || result.spec === stored) {
      return { value: result, writes: [], xid };
    }
    const next = result.spec;
    const full = findFull({ all, own }, { stored, next }, bounds);
    if (full) return { value: full, writes: [], xid };
    return { value: result, writes: toStatements(UPSERT_SPEC, [next]), xid };
  });
}

async function addUp(
  transaction: Transaction,
  values: readonly [kind: SpecKind, owner: string | null],
): Promise<SpecTotals | undefined> {
  const statement = { name: 'skill_spec_totals', text: TOTALS, values: [...values] };
  const [totals] = await transaction.query<SpecTotals>(statement);
  return totals;
}

function publish({ database, nowMs }: StoreDeps, publication: Publication): Promise<PublishResult> {
  const { skillId, version } = publication.release;
  return database.transact<PublishResult>(async (transaction) => {
    const values = [skillId, version];
    const [, [releaseRow], [specRow], owner, mark] = await Promise.all([
      lock(transaction),
      transaction.query<ReleaseRow>({ name: 'find_skill_release', text: FIND_RELEASE, values }),
      transaction.query<SpecRow>({
        name: 'find_skill_spec',
        text: FIND_SPEC,
        values: ['skill', ...values],
      }),
      findOwner(transaction, { kind: 'skill', id: skillId }),
      readMark(transaction, nowMs?.()),
    ]);
    const release = releaseRow && decodeRelease(releaseRow);
    const stored = specRow && decodeSpec(specRow);
    const settled = settlePublication({ release, stored, owner }, publication, mark.nowMs);
    const isNew = settled.result.outcome === 'published';
    const writes = [
      ...toStatements(UPSERT_SPEC, settled.spec ? [settled.spec] : []),
      ...toStatements(INSERT_RELEASE, isNew ? [publication.release] : []),
    ];
    return { value: settled.result, writes, xid: mark.xid };
  });
}

async function findOwner(
  transaction: Transaction,
  { kind, id }: Pick<SpecKey, 'kind' | 'id'>,
): Promise<string | undefined> {
  const statement = { name: 'find_spec_owner', text: FIND_OWNER, values: [kind, id] };
  const [row] = await transaction.query<{ owner: string | null }>(statement);
  return row?.owner ? decodeText(row.owner) : undefined;
}

function lock(transaction: Transaction): Promise<unknown> {
  return transaction.query({ name: 'lock_skill_specs', text: LOCK, values: [] });
}
