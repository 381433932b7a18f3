import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { createComms } from './comms.ts';
import type { DeliveryEvent } from './delivery-event.ts';

const EVENT: DeliveryEvent = {
  eventId: 'evt_1',
  provider: 'resend',
  state: 'bounced',
  messageId: 'email_1',
  integrationId: 'resend.primary',
  recipient: 'Ada Lovelace <Ada.Lovelace@Example.com>',
  occurredAtMs: 1_000,
  reason: '550 5.1.1 <ada.lovelace@example.com> unknown, token=sk-live-0123456789abcdef0123456789',
  payload: {
    rawType: 'email.bounced',
    at: '2026-02-19T18:00:00Z',
    to: ['ADA.LOVELACE@example.com', 'bob@example.org'],
    'ada.lovelace@example.com': true,
    headers: { authorization: 'Bearer abcdefghijklmnopqrstuvwxyz012345' },
  },
};

async function openComms() {
  const root = await openTempRoot();
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => root.remove());
  onTestFinished(() => storage.close());
  const comms = createComms({ store: storage.comms, redactor: createRedactor() });
  /** Everything that reached the disk, the log of the database included. */
  const readDisk = async () => {
    const files = await Promise.all([readFile(file), readFile(`${file}-wal`)]);
    return Buffer.concat(files).toString('latin1');
  };
  return { comms, readDisk };
}

test('stores neither addresses nor secrets, wherever a provider put them', async () => {
  const { comms, readDisk } = await openComms();

  await comms.ingest(EVENT);

  const disk = await readDisk();
  expect(disk).toContain('email.bounced');
  expect(disk).toContain('2026-02-19T18:00:00Z');
  expect(disk).toContain('[REDACTED_RECIPIENT]');
  expect(disk).not.toMatch(/lovelace|bob@example|abcdefghijklmnopqrstuvwxyz012345|sk-live/i);
});

test('suppresses by the address alone, and lifts it again', async () => {
  const { comms } = await openComms();
  await comms.ingest(EVENT);

  const before = await comms.isSuppressed('ada.lovelace@example.com');
  await comms.lift('ADA.Lovelace@example.com');
  const after = await comms.isSuppressed('ada.lovelace@example.com');

  expect([before, after]).toEqual([true, false]);
  await expect(comms.lift('ada.lovelace@example.com')).rejects.toMatchObject({ code: 'not_found' });
});

test('takes the same event for a replay although redaction changed it', async () => {
  const { comms } = await openComms();
  const first = await comms.ingest(EVENT);

  const again = await comms.ingest(structuredClone(EVENT));
  const other = comms.ingest({ ...EVENT, payload: { ...EVENT.payload, to: ['eve@example.org'] } });

  expect([first, again]).toEqual([{ replayed: false }, { replayed: true }]);
  await expect(other).rejects.toMatchObject({
    code: 'conflict',
    message: 'event_id payload mismatch for existing webhook event',
  });
});
