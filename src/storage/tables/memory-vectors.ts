import {
  EMBEDDING_COUNTS,
  MEMORY_EMBEDDERS,
  MEMORY_VECTORS,
  WALKED_MEMORIES,
} from '../../core/memory/stored-vectors.ts';
import { querySql, table } from './table.ts';

export const MEMORY_VECTOR_TABLE = table(MEMORY_VECTORS, {
  model: 'id',
  memoryId: 'id',
  dimensions: 'int',
  vectors: 'blob',
});

export const MEMORY_EMBEDDER_TABLE = table(MEMORY_EMBEDDERS, {
  model: 'id',
  through: 'int',
  dimensions: 'int',
  owner: 'id',
  expiresAtMs: 'ms',
});

export const MEMORY_VECTOR_QUERIES = [
  querySql(WALKED_MEMORIES, {
    params: { model: 'id', after: 'int', limit: 'int' },
    answer: { id: 'id', content: 'text', digest: 'id', revision: 'int', isDone: 'flag' },
    text: `
      select m.id, m.content, m.digest, m.revision,
        m.removed_at_ms is not null or exists (
          select 1 from memory_vectors v where v.model = :model and v.memory_id = m.id
        ) as is_done
      from memories m where m.revision > :after order by m.revision limit :limit`,
  }),
  querySql(EMBEDDING_COUNTS, {
    params: { model: 'id' },
    answer: { memories: 'int', embedded: 'int', revision: 'int', through: 'int' },
    text: `
      select h.memories,
        (select count(*) from memory_vectors v where v.model = :model) as embedded, h.revision,
        coalesce((select e.through from memory_embedders e where e.model = :model), 0) as through
      from memory_head h where h.no = 1`,
  }),
];
