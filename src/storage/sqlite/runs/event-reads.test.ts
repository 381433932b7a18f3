import { expect, test } from 'vitest';
import type { RunId } from '../../../core/ids.ts';
import type { Database } from '../driver.ts';
import { createEventReads } from './event-reads.ts';
import { PART_EVENTS } from './log-parts.ts';

/** A disk that fails ends the transaction by itself, and then there is none to end. */
function openFailing(): Database {
  let isTransaction = false;
  const fail = (message: string) => () => {
    isTransaction = false;
    throw new Error(message);
  };
  const answers: Record<string, () => unknown> = {
    BEGIN: () => {
      isTransaction = true;
    },
    COMMIT: () => (isTransaction ? undefined : fail('no transaction is active')()),
  };
  const prepare = (sql: string) => ({
    get: answers[sql] ?? (() => ({ no: 1, agent_id: 'agent' })),
    all: fail('disk I/O error'),
    setReturnArrays() {},
  });
  return {
    prepare,
    get isTransaction() {
      return isTransaction;
    },
  } as unknown as Database;
}

test('a disk that fails is named also where a log is read in parts', () => {
  const read = createEventReads(openFailing());

  const reading = () => read('run_1' as RunId, { after: PART_EVENTS, limit: 10 });

  expect(reading).toThrow('disk I/O error');
});
