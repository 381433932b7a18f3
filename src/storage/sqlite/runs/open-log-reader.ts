import type { EventLog } from '../../../core/events/event-log.ts';
import type { RunStore } from '../../../core/runs/run-store.ts';
import { openDatabase } from '../open-database.ts';
import { toStorageFault } from '../sqlite-fault.ts';
import { createEventLog } from './event-log.ts';
import { createRunReads } from './run-reads.ts';

/** What the recorder reads of a database that another thread writes. */
export interface LogReader {
  readonly runs: Pick<RunStore, 'find' | 'list' | 'listUnrecorded'>;
  readonly events: EventLog;
  close(): void;
}

/** Prepares a few statements and nothing else: a thread that opened all ports would take longer to start. */
export function openLogReader(file: string): LogReader {
  const db = openDatabase({ file, readOnly: true });
  const runs = createRunReads(db);

  async function read<T>(query: () => T): Promise<T> {
    try {
      return query();
    } catch (error) {
      throw toStorageFault(error);
    }
  }

  return {
    runs: {
      find: (id) => read(() => runs.find(id)),
      list: (filter) => read(() => runs.list(filter)),
      listUnrecorded: (limit, lacking) => read(() => runs.listUnrecorded(limit, lacking)),
    },
    events: createEventLog({ db, read }),
    close: () => db.close(),
  };
}
