import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { silentLogger } from '../../core/log.ts';
import { CLOCK_DIFFERENCE_MS } from '../../core/threads/stored-nonces.ts';
import { connect } from './driver.ts';
import { openSqliteStorage } from './open-sqlite-storage.ts';

const TTL_MS = 60_000;

test('drops a few expired nonces with every use, so that they do not pile up', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const clock = new ManualClock();
  const file = join(root.path, 'pincer.db');
  const config = { file, clock, writer: 'inline', logger: silentLogger } as const;
  const { nonces, close } = await openSqliteStorage(config);
  onTestFinished(close);
  const db = connect(file, { readOnly: true });
  onTestFinished(() => db.close());
  const rows = () => db.prepare('SELECT count(*) AS n FROM nonces').get()?.['n'];
  const use = (value: string) => nonces.use({ value, expiresAtMs: clock.nowMs() + TTL_MS });
  for (let index = 0; index < 10; index += 1) await use(`${index}`);
  clock.advance(TTL_MS + CLOCK_DIFFERENCE_MS);

  const left: unknown[] = [];
  for (const value of ['a', 'b', 'c', 'd']) {
    await use(value);
    left.push(rows());
  }

  expect(left).toEqual([7, 4, 3, 4]);
});
