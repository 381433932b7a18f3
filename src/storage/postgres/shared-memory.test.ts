import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { claimNewRun, delta } from '../../../test/conformance/harness.ts';
import {
  connectAt,
  createTestDatabase,
  openStorageAt,
} from '../../../test/conformance/open-postgres.ts';
import { findPostgres } from '../../../test/support/postgres.ts';
import { silentLogger } from '../../core/log.ts';
import { openDatabase } from './database.ts';
import { createSecretPlace } from './secret-place.ts';

const engine = await findPostgres();
const FOLLOWING = { after: 0, limit: 100, mayBeRecent: true };

describe.skipIf(!engine.available)('what a node keeps in memory of a shared database', () => {
  test('gives way to what another node adds to a run', async () => {
    const url = await createTestDatabase('migrated');
    const [first, second] = [await openStorageAt(url), await openStorageAt(url)];
    const { run, lease } = await claimNewRun(first.runs);
    await first.runs.append(lease, [delta('ours')]);

    await second.runs.note(run.id, [delta('theirs')]);

    const texts = async () => {
      const events = await first.events.read(run.id, FOLLOWING);
      return events.flatMap(({ payload }) => payload['text'] ?? []);
    };
    await vi.waitUntil(async () => (await texts()).length === 2, { timeout: 1_500, interval: 1 });
    expect(await texts()).toEqual(['ours', 'theirs']);
  });

  test('is never told to whoever checks what is stored', async () => {
    const url = await createTestDatabase('migrated');
    const storage = await openStorageAt(url);
    const intruder = await connectAt(url);
    const { run, lease } = await claimNewRun(storage.runs);
    await storage.runs.append(lease, [delta('true')]);

    await intruder.query(`update events set actor = 'operator' where run_id = $1`, [run.id]);

    const followed = await storage.events.read(run.id, FOLLOWING);
    const checked = await storage.events.read(run.id, { after: 0, limit: 100 });
    expect(new Set(followed.map(({ actor }) => actor))).not.toContain('operator');
    expect(new Set(checked.map(({ actor }) => actor))).toEqual(new Set(['operator']));
  });

  test('hides no secret that was stored, also when the news of it got lost', async () => {
    const url = await createTestDatabase('migrated');
    const database = await openDatabase({ url, logger: silentLogger });
    onTestFinished(() => database.close());
    // Neither has a listener.
    const [first, second] = [createSecretPlace({ database }), createSecretPlace({ database })];
    const before = await first.readMark();
    const asking = setInterval(() => void first.readMark(), 5);
    onTestFinished(() => clearInterval(asking));

    const after = await second.replace('sealed', before);

    expect(await first.readMark()).toBe(after);
  });

  test('does not hide a secret that another node has replaced', async () => {
    const url = await createTestDatabase('migrated');
    const [first, second] = [await openStorageAt(url), await openStorageAt(url)];
    const before = await first.secretPlace?.readMark();

    const after = await second.secretPlace?.replace('sealed', before ?? '');

    const look = async () => (await first.secretPlace?.readMark()) === after;
    await vi.waitUntil(look, { timeout: 1_000, interval: 1 });
    expect(after).not.toBe(before);
  });
});
