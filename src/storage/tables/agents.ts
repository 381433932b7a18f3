import {
  AGENTS,
  PRIVATE_AGENTS,
  SKILLED_AGENTS,
  TAKEN_AGENT_NAMES,
} from '../../core/agents/stored-agents.ts';
import { querySql, table } from './table.ts';

export const AGENT_TABLE = table(AGENTS, {
  id: 'id',
  slug: 'id',
  name: 'text',
  role: 'text',
  model: 'text?',
  instructions: 'text',
  personalityTemplate: 'text?',
  voiceId: 'text?',
  skills: 'json',
  memoryAccess: 'id',
  status: 'id',
  createdAtMs: 'ms',
  updatedAtMs: 'ms',
});

export const AGENT_QUERIES = [
  querySql(PRIVATE_AGENTS, {
    params: {},
    answer: { id: 'id' },
    text: `select id from agents where memory_access = 'private' order by id`,
  }),
  querySql(SKILLED_AGENTS, {
    params: {},
    answer: { id: 'id', skills: 'json' },
    text: `select id, skills from agents where skills <> '[]'`,
  }),
  querySql(TAKEN_AGENT_NAMES, {
    params: { prefix: 'id' },
    answer: { name: 'id' },
    text: `
      select slug as name from agents where substr(slug, 1, length(:prefix)) = :prefix
      union select id as name from agents where substr(id, 1, length(:prefix)) = :prefix`,
  }),
];
