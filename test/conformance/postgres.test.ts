import { describe } from 'vitest';
import { findPostgres } from '../support/postgres.ts';
import { describeAgentStore } from './agent-store.suite.ts';
import { describeEventLog } from './event-log.suite.ts';
import { openOnPostgres } from './open-postgres.ts';
import { describeRunStore } from './run-store.suite.ts';
import { describeWakeups } from './wakeups.suite.ts';

// Says why when there is none.
const engine = await findPostgres();

describe.skipIf(!engine.available)('PostgreSQL', () => {
  describeRunStore('postgres', openOnPostgres);
  describeEventLog('postgres', openOnPostgres);
  describeAgentStore('postgres', openOnPostgres);
  describeWakeups('postgres', openOnPostgres);
});
