import type { Agent } from '../../core/agents/agent.ts';
import { AGENTS } from '../../core/agents/stored-agents.ts';
import type { Need } from '../../core/store/need.ts';
import type { Tables } from '../../core/store/tables.ts';
import type { PortDeps } from './port-deps.ts';
import { createLoad, createPrepare } from './table-reads.ts';

/** Reads on this thread's connection, and writes by name through the one writer. */
export function createTables({ db, read, writer, nowMs, agentRows }: PortDeps): Tables {
  const stored = createLoad(createPrepare(db), nowMs);

  function load<Loaded>(need: Need<Loaded>): Loaded {
    if (need.need !== 'find' || need.from.name !== AGENTS.name) return stored(need);
    const { id } = need.key as Pick<Agent, 'id'>;
    return agentRows.find(id, () => stored(need)) as Loaded;
  }

  return {
    load: (need) => read(() => load(need)),
    write: async <Value>({ name }: { readonly name: string }, given: unknown) =>
      (await writer.submit('performWrite', name, given)) as Value,
  };
}
