import {
  CHECKPOINTS,
  PROJECTION_WRITER,
  WORKER_POSITIONS,
  WRITER_HEALTH,
} from '../../core/projection/stored-projections.ts';
import { querySql, table } from './table.ts';

export const CHECKPOINT_TABLE = table(
  CHECKPOINTS,
  {
    projection: 'id',
    id: 'id',
    revision: 'int',
    seq: 'int',
    version: 'id',
    summaryHash: 'id',
    projectedAtMs: 'ms',
    isOpen: 'flag',
    state: 'json',
  },
  { id: 'entity_id' },
);

export const PROJECTION_WRITER_TABLE = table(PROJECTION_WRITER, {
  no: 'int',
  owner: 'id',
  expiresAtMs: 'ms',
  failures: 'int',
  error: 'text?',
  failedAtMs: 'ms?',
});

export const PROJECTION_QUERIES = [
  querySql(WORKER_POSITIONS, {
    params: { after: 'id', limit: 'int' },
    answer: { id: 'id', latestSeq: 'int', createdAtMs: 'ms' },
    text: `
      select id, latest_seq, created_at_ms from workers where id > :after order by id limit :limit`,
  }),
  querySql(WRITER_HEALTH, {
    params: {},
    answer: { owner: 'id', isHeld: 'flag', failures: 'int', error: 'text?', failedAtMs: 'ms?' },
    text: `
      select owner, expires_at_ms > :now as is_held, failures, error, failed_at_ms
      from projection_writer`,
  }),
];
