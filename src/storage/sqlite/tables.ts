import type { Tables } from '../../core/store/tables.ts';
import type { PortDeps } from './port-deps.ts';
import { createLoad, createPrepare } from './table-reads.ts';

/** Reads on this thread's connection, and writes by name through the one writer. */
export function createTables({ db, read, writer, nowMs }: PortDeps): Tables {
  const load = createLoad(createPrepare(db), nowMs);
  return {
    load: (need) => read(() => load(need)),
    write: async <Value>({ name }: { readonly name: string }, given: unknown) =>
      (await writer.submit('performWrite', name, given)) as Value,
  };
}
