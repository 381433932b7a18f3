import type { JsonObject } from '../../core/json.ts';
import type { ProjectionName } from '../../core/projection/projection.ts';
import type {
  Checkpoint,
  NewCheckpoint,
  ProjectionStore,
  SinkHealth,
} from '../../core/projection/projection-store.ts';
import { MAX_PAGE_PROJECTIONS } from '../projection-rules.ts';
import { clampLimit, clockSql } from './statement.ts';
import type { StoreDeps } from './store-deps.ts';
import { decodeText, encodeText, isStorableId } from './text-codec.ts';
import { writeOnce } from './write-once.ts';

const COLUMNS =
  'projection, entity_id, revision, seq, version, summary_hash, projected_at_ms, is_open, state';
const FIND_MANY = `select ${COLUMNS} from projections where projection = $1 and entity_id = any($2::text[])`;
const LIST_OPEN = `
  select ${COLUMNS} from projections where projection = $1 and is_open and entity_id > $2
  order by entity_id limit $3`;
const INSERT = `
  insert into projections (${COLUMNS}) values ($1, $2, 1, $4, $5, $6, $7, $8, $9)
  on conflict (projection, entity_id) do nothing returning $3::bigint as written`;
const UPDATE = `
  update projections set
    revision = revision + 1, seq = $4, version = $5, summary_hash = $6, projected_at_ms = $7,
    is_open = $8, state = $9
  where projection = $1 and entity_id = $2 and revision = $3
  returning 1 as written`;
const LIST_WORKERS = `
  select id, latest_seq as "latestSeq", created_at_ms as "createdAtMs"
  from workers where id > $1 order by id limit $2`;
const HOLD = `
  update projection_writer set owner = $1, expires_at_ms = ${clockSql('$3')} + $2
  where owner = $1 or expires_at_ms <= ${clockSql('$3')}
  returning 1 as held`;
const RELEASE = 'update projection_writer set expires_at_ms = 0 where owner = $1';
const REPORT = `
  update projection_writer set failures = $1, error = $2,
    failed_at_ms = case when $1::bigint > 0 then ${clockSql('$3')} else failed_at_ms end`;
const READ_HEALTH = `
  select owner, expires_at_ms > ${clockSql('$1')} as "isHeld", failures, error, failed_at_ms
  from projection_writer`;

interface StoredCheckpoint {
  readonly projection: ProjectionName;
  readonly entity_id: string;
  readonly revision: number;
  readonly seq: number;
  readonly version: string;
  readonly summary_hash: string;
  readonly projected_at_ms: number;
  readonly is_open: boolean;
  readonly state: string;
}

interface StoredWriter {
  readonly owner: string;
  readonly isHeld: boolean;
  readonly failures: number;
  readonly error: string | null;
  readonly failed_at_ms: number | null;
}

export function createProjectionStore(deps: StoreDeps): ProjectionStore {
  const { database } = deps;
  const overrideMs = () => deps.nowMs?.() ?? null;

  async function findMany(projection: ProjectionName, ids: readonly string[]) {
    const storable = ids.filter(isStorableId).slice(0, MAX_PAGE_PROJECTIONS);
    if (storable.length === 0) return [];
    const statement = { name: 'find_checkpoints', text: FIND_MANY, values: [projection, storable] };
    return (await database.read<StoredCheckpoint>(statement)).map(decodeCheckpoint);
  }

  return {
    find: async ({ projection, id }) => (await findMany(projection, [id]))[0],
    findMany,
    put: (checkpoint, expectedRevision) => put(deps, checkpoint, expectedRevision),

    listOpen: async ({ projection, after = '', limit }) => {
      const values = [projection, after, clampLimit(limit, MAX_PAGE_PROJECTIONS)];
      const statement = { name: 'list_open_checkpoints', text: LIST_OPEN, values };
      return (await database.read<StoredCheckpoint>(statement)).map(decodeCheckpoint);
    },

    listWorkers: ({ after = '', limit }) => {
      const values = [after, clampLimit(limit, MAX_PAGE_PROJECTIONS)];
      return database.read({ name: 'list_all_workers', text: LIST_WORKERS, values });
    },

    // May be repeated: who held it before holds it still.
    holdWriter: async (owner, leaseMs) => {
      const values = [owner, leaseMs, overrideMs()];
      const held = await database.write({ name: 'hold_projection', text: HOLD, values });
      return held.length > 0;
    },

    releaseWriter: async (owner) => {
      await database.write({ name: 'release_projection', text: RELEASE, values: [owner] });
    },

    reportHealth: async ({ failures, error }) => {
      const values = [failures, error === undefined ? null : encodeText(error), overrideMs()];
      await database.write({ name: 'report_projection', text: REPORT, values });
    },

    readHealth: async () => {
      const values = [overrideMs()];
      const statement = { name: 'read_projection_health', text: READ_HEALTH, values };
      return decodeHealth((await database.read<StoredWriter>(statement))[0]);
    },
  };
}

/** Once: asked again, the revision that it expects would be gone by its own doing. */
async function put(
  { database }: StoreDeps,
  checkpoint: NewCheckpoint,
  expectedRevision: number,
): Promise<boolean> {
  const { projection, id, seq, version, summaryHash, projectedAtMs, isOpen, state } = checkpoint;
  const key = [projection, id, expectedRevision];
  const values = [...key, seq, version, summaryHash, projectedAtMs, isOpen, JSON.stringify(state)];
  const statement =
    expectedRevision === 0
      ? { name: 'insert_checkpoint', text: INSERT, values }
      : { name: 'update_checkpoint', text: UPDATE, values };
  return (await writeOnce(database, statement)).length > 0;
}

function decodeCheckpoint(stored: StoredCheckpoint): Checkpoint {
  return {
    projection: stored.projection,
    id: stored.entity_id,
    revision: stored.revision,
    seq: stored.seq,
    version: stored.version,
    summaryHash: stored.summary_hash,
    projectedAtMs: stored.projected_at_ms,
    isOpen: stored.is_open,
    state: JSON.parse(stored.state) as JsonObject,
  };
}

function decodeHealth(stored: StoredWriter | undefined): SinkHealth {
  return {
    failures: stored?.failures ?? 0,
    error: stored?.error ? decodeText(stored.error) : undefined,
    failedAtMs: stored?.failed_at_ms ?? undefined,
    writer: stored?.isHeld ? stored.owner : undefined,
  };
}
