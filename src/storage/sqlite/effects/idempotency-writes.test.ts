import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLAIM_TTL_MS, newClaim } from '../../../../test/conformance/effects/idempotency-rig.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { openTempRoot } from '../../../../test/support/temp-root.ts';
import { silentLogger } from '../../../core/log.ts';
import { connect } from '../driver.ts';
import { openSqliteStorage } from '../open-sqlite-storage.ts';

test('drops a few expired records with every claim, so that they do not pile up', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const clock = new ManualClock();
  const file = join(root.path, 'pincer.db');
  const config = { file, clock, writer: 'inline', logger: silentLogger } as const;
  const storage = await openSqliteStorage(config);
  onTestFinished(() => storage.close());
  const db = connect(file, { readOnly: true });
  onTestFinished(() => db.close());
  const rows = () => db.prepare('SELECT count(*) AS n FROM idempotency_records').get()?.['n'];
  for (let index = 0; index < 10; index += 1) await storage.idempotency.claim(newClaim(`${index}`));
  clock.advance(CLAIM_TTL_MS);

  const left: unknown[] = [];
  for (const key of ['a', 'b', 'c', 'd']) {
    await storage.idempotency.claim(newClaim(key));
    left.push(rows());
  }

  expect(left).toEqual([7, 4, 3, 4]);
});
