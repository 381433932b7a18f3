import type { AgentId } from '../../../../src/core/ids.ts';
import type { TestEngine } from '../../../support/test-engines.ts';
import type { Answer } from '../../v1/http-client.ts';
import { type ApiServer, openApiServer } from '../open-api-server.ts';

/** Words alone: what is told of meanings does not depend on a model here. */
const CONFIG = { memory: { embedding: { provider: 'none' } } };

export interface MemoryServer extends ApiServer {
  ingest(item: IngestItem): Promise<string>;
  search(query: Readonly<Record<string, string>>): Promise<Answer>;
  /** What a search finds, best first. */
  find(query: Readonly<Record<string, string>>): Promise<readonly string[]>;
}

export interface IngestItem {
  readonly content: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly priority_score?: number;
  readonly key?: string;
}

export const METADATA = { agent_id: 'lince', project_id: 'proj_001', source: 'chat' };

/** With two agents: lince shares what it remembers, sastre keeps it to itself. */
export async function openMemoryServer(
  engine: TestEngine,
  config: object = CONFIG,
): Promise<MemoryServer> {
  const server = await openApiServer({ engine, config });
  const { agents } = server.runtime.storage;
  const common = { role: '', model: undefined, instructions: '' };
  for (const [id, name, memoryAccess] of [
    ['agent_lince', 'Lince', 'global'],
    ['agent_sastre', 'Sastre', 'private'],
  ] as const) {
    await agents.ensure({
      ...common,
      id: id as AgentId,
      slug: name.toLowerCase(),
      name,
      memoryAccess,
    });
  }
  const search = (query: Readonly<Record<string, string>>) =>
    server.call(`/api/memory/search?${new URLSearchParams(query)}`);
  return {
    ...server,
    search,
    async ingest({ metadata, ...item }) {
      const body = { ...item, metadata: { ...METADATA, ...metadata } };
      const answer = await server.post('/api/memory/ingest', body);
      if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
      return (answer.body as { memory_id: string }).memory_id;
    },
    async find(query) {
      const { body } = await search(query);
      return (body as { results: { content: string }[] }).results.map(({ content }) => content);
    },
  };
}
