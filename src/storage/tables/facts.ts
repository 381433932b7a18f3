import {
  FACTS,
  KEPT_FACTS,
  NEWEST_FACTS,
  STANDING_FACTS,
} from '../../core/knowledge/stored-facts.ts';
import { querySql, table } from './table.ts';
import { isKept, visibleToReader } from './visible-to.ts';

export const FACT_TABLE = table(FACTS, {
  id: 'id',
  owner: 'text',
  projectId: 'id',
  subject: 'text',
  relation: 'text',
  object: 'text',
  subjectTerm: 'id',
  relationTerm: 'id',
  objectTerm: 'id',
  validFromMs: 'ms',
  validToMs: 'ms?',
  source: 'text',
  agentId: 'id?',
  isPrivate: 'flag',
  createdAtMs: 'ms',
});

const SELECT = `select ${FACT_TABLE.select} from facts`;

export const FACT_QUERIES = [
  querySql(KEPT_FACTS, {
    params: { agentId: 'id', limit: 'int' },
    answer: { id: 'id' },
    text: `
      select id from facts where agent_id = :agentId and (is_private or ${isKept(':agentId')})
      order by id limit :limit`,
  }),
  querySql(STANDING_FACTS, {
    params: {
      owner: 'text',
      projectId: 'id',
      subjectTerm: 'id',
      relationTerm: 'id',
      readerId: 'id?',
      limit: 'int',
    },
    answer: FACT_TABLE,
    text: `
      ${SELECT} where owner = :owner and project_id = :projectId
        and subject_term = :subjectTerm and relation_term = :relationTerm and valid_to_ms is null
        and (not is_private or agent_id = :readerId)
      order by id limit :limit`,
  }),
  querySql(NEWEST_FACTS, {
    params: {
      owner: 'text',
      readerId: 'id?',
      isOwnOnly: 'flag',
      projectId: 'id?',
      subject: 'id?',
      relation: 'id?',
      object: 'id?',
      pattern: 'id?',
      atMs: 'ms?',
      before: 'id?',
      limit: 'int',
    },
    answer: FACT_TABLE,
    text: `
      ${SELECT} where owner = :owner and (:before is null or id < :before)
        and (:projectId is null or project_id = :projectId)
        and (:subject is null or subject_term = :subject)
        and (:relation is null or relation_term = :relation)
        and (:object is null or object_term = :object)
        and (:pattern is null or subject_term like :pattern escape '!'
          or relation_term like :pattern escape '!' or object_term like :pattern escape '!')
        and (:atMs is null
          or (valid_from_ms <= :atMs and (valid_to_ms is null or valid_to_ms > :atMs)))
        and ${visibleToReader('facts.agent_id', 'is_private')}
      order by id desc limit :limit`,
  }),
];
