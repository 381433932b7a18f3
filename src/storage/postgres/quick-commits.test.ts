import { describe, expect, test } from 'vitest';
import {
  COMPLETED,
  claimNewRun,
  claimOnly,
  delta,
  draft,
  LEASE_MS,
  readAll,
} from '../../../test/conformance/harness.ts';
import {
  connectAt,
  createTestDatabase,
  openStorageAt,
} from '../../../test/conformance/open-postgres.ts';
import { findPostgres } from '../../../test/support/postgres.ts';
import { verifyChain } from '../../core/events/hash-chain.ts';
import type { Storage } from '../../core/storage.ts';

const engine = await findPostgres();

/** Two nodes on one database; the first holds a run and knows its row. */
async function openNodes() {
  const url = await createTestDatabase('migrated');
  const [first, second] = [await openStorageAt(url), await openStorageAt(url)];
  const held = await claimNewRun(first.runs);
  await first.runs.append(held.lease, [delta('known')]);
  return { url, first, second, ...held };
}

const textsOf = async (storage: Storage, held: Awaited<ReturnType<typeof openNodes>>) => {
  const events = await readAll(storage.events, held.run.id);
  expect(verifyChain(events).ok).toBe(true);
  return events.flatMap(({ payload }) => payload['text'] ?? []);
};

describe.skipIf(!engine.available)('writes that are decided from memory', () => {
  test('are refused once another node has taken the run', async () => {
    const nodes = await openNodes();
    const { first, second, run, lease } = nodes;
    await second.runs.takeOver('runner-a');
    const taken = await claimOnly(second.runs, run.id, 'runner-b');

    const late = await first.runs.append(lease, [delta('late')]);
    const end = await first.runs.finish(lease, [draft('run.completed')], COMPLETED);
    await second.runs.append(taken.lease, [delta('new')]);

    expect([late, end]).toEqual([
      { outcome: 'refused', reason: 'lost_lease' },
      { outcome: 'refused', reason: 'lost_lease' },
    ]);
    expect(await textsOf(first, nodes)).toEqual(['known', 'new']);
  });

  test('are refused once another node has ended the run', async () => {
    const nodes = await openNodes();
    const { url, first, run, lease } = nodes;
    const intruder = await connectAt(url);
    await intruder.query(`update runs set status = 'failed', lease_id = null where id = $1`, [
      run.id,
    ]);

    const late = await first.runs.append(lease, [delta('late')]);

    expect(late).toEqual({ outcome: 'refused', reason: 'terminal' });
    expect(await textsOf(first, nodes)).toEqual(['known']);
  });

  test('follow what another node has added, without a gap', async () => {
    const nodes = await openNodes();
    const { first, second, run, lease } = nodes;
    await second.runs.note(run.id, [delta('theirs')]);

    const result = await first.runs.append(lease, [delta('ours')]);

    expect(result).toEqual({ outcome: 'appended', lastSeq: 5 });
    expect(await textsOf(first, nodes)).toEqual(['known', 'theirs', 'ours']);
  });

  test('leave a lease as its heartbeat has extended it', async () => {
    const { url, first, run, lease } = await openNodes();
    const observer = await connectAt(url);
    const expiry = async () => {
      const text = 'select lease_expires_at_ms::float8 as at from runs where id = $1';
      return (await observer.query(text, [run.id])).rows[0].at as number;
    };
    await first.runs.renew([lease], 10 * LEASE_MS);
    const renewed = await expiry();

    await first.runs.append(lease, [delta('on')]);

    expect(await expiry()).toBe(renewed);
  });

  test('of many runs are told apart: one that may not write fails none of the others', async () => {
    const nodes = await openNodes();
    const { first, second, run, lease } = nodes;
    const others = await Promise.all([1, 2, 3].map(() => claimNewRun(first.runs, 'runner-b')));
    await second.runs.takeOver('runner-a');
    const held = [{ run, lease }, ...others];

    const results = await Promise.all(
      held.map((one) => first.runs.append(one.lease, [delta('at once')])),
    );

    expect(results.map(({ outcome }) => outcome)).toEqual([
      'refused',
      'appended',
      'appended',
      'appended',
    ]);
  });

  test('take one statement, and none to begin or commit it', async () => {
    const { url, first, lease } = await openNodes();
    const observer = await connectAt(url);
    const lastStatements = async () => {
      const text = `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
      const { rows } = await observer.query<{ query: string }>(text);
      return rows.map(({ query }) => query);
    };

    await Promise.all([1, 2, 3].map((no) => first.runs.append(lease, [delta(`${no}`)])));

    const statements = await lastStatements();
    expect(statements.filter((text) => text.includes('insert into events'))).toHaveLength(1);
  });
});
