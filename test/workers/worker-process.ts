// A server of workers in a process of its own, for tests that kill it.
import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '../../src/core/log.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { ask, attachProgram, createTestWorkers } from './test-workers.ts';

const [file = '', command = ''] = process.argv.slice(2);
const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
const { workers } = createTestWorkers(storage);
const { id, host } = await attachProgram(workers, command);
void ask(workers, id, { requestId: 'open', method: 'sleep', params: { ms: 60_000 } });
while ((await storage.workers.find(id))?.latestSeq !== 2) await setImmediate();
// The mark holds the number of the process.
process.stdout.write(`${id} ${host?.processMark?.split(' ')[2]}\n`);
setInterval(() => {}, 60_000);
