import { describe, expect, test } from 'vitest';
import { claimRequest } from '../../../../test/conformance/harness.ts';
import { createJob, fire, slotOf } from '../../../../test/conformance/jobs/job-rig.ts';
import {
  connectAt,
  createTestDatabase,
  openStorageAt,
} from '../../../../test/conformance/open-postgres.ts';
import {
  answer,
  message,
  newSession,
  saying,
  sayNew,
} from '../../../../test/conformance/sessions/session-rig.ts';
import { findPostgres } from '../../../../test/support/postgres.ts';
import type { Session } from '../../../core/sessions/session.ts';
import type { Storage } from '../../../core/storage.ts';

// Says why when there is none.
const engine = await findPostgres();

const SESSIONS = 6;
const ROUNDS = 8;

/** One round of everything that locks sessions, in as many transactions as there are statements here. */
async function talk(storage: Storage, sessions: readonly Session[]): Promise<void> {
  const { runs } = storage;
  await Promise.all([
    ...sessions.map((session) => sayNew(storage, session, 'hello')),
    ...sessions.map(({ id }) => storage.sessions.append(id, [message('system', 'note')])),
    ...sessions.map(async () => {
      const claimed = await runs.claim(claimRequest());
      if (!claimed) return;
      const lease = { runId: claimed.run.id, leaseId: claimed.lease.id };
      await runs.append(lease, [saying('tool.result', 'tool', '{}')]);
      await answer(storage, lease, 'done');
    }),
  ]);
}

/** Fires slots into a session, and tells another what came of them. */
async function schedule(storage: Storage, [into, told]: readonly Session[]): Promise<void> {
  const { jobs, runs } = storage;
  if (!into || !told) throw new Error('two sessions are needed');
  for (let round = 0; round < ROUNDS; round += 1) {
    // A job of its own each time: whoever talks may still hold the run of the last one.
    const slot = slotOf(await createJob(jobs));
    const run = await fire(jobs, { ...slot, run: { ...slot.run, sessionId: into.id } });
    const cancelled = saying('run.cancelled', 'assistant', 'gone');
    await runs.requestCancel(run.id, {
      requested: saying('run.cancel_requested', 'user', 'stop'),
      cancelled,
    });
    const claimed = await runs.claim(claimRequest({ only: run.id }));
    if (claimed) await answer(storage, { runId: run.id, leaseId: claimed.lease.id }, 'gone');
    for (const { runId, slotMs, jobId } of await jobs.listUnsettled(10)) {
      const notice = {
        channel: 'session',
        sessionId: told.id,
        message: message('system', 'told'),
      } as const;
      await jobs.settle({ jobId, slotMs, runId }, notice);
    }
  }
}

describe.skipIf(!engine.available)('sessions on PostgreSQL', () => {
  test('are locked in one order by everybody, so that nobody waits in a circle', {
    timeout: 60_000,
  }, async () => {
    const url = await createTestDatabase('migrated');
    const nodes = [await openStorageAt(url), await openStorageAt(url)];
    const [first] = nodes;
    if (!first) throw new Error('no storage');
    const sessions: Session[] = [];
    for (let count = 0; count < SESSIONS; count += 1) sessions.push(await newSession(first));
    const reversed = sessions.toReversed();

    await Promise.all(
      nodes.map(async (storage, index) => {
        const own = index === 0 ? sessions : reversed;
        const scheduling = schedule(storage, own);
        for (let round = 0; round < ROUNDS; round += 1) await talk(storage, own);
        await scheduling;
      }),
    );

    const client = await connectAt(url);
    await Promise.all(nodes.map((storage) => storage.close()));
    const { rows } = await client.query(
      'select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
    const { rows: counts } = await client.query(
      'select s.id from sessions s where message_count <> (select count(*) from session_messages m where m.session_id = s.id)',
    );
    expect(counts).toEqual([]);
  });
});
