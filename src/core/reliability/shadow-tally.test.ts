import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openShadowReportFile } from '../../storage/files/open-shadow-report-file.ts';
import { silentLogger } from '../log.ts';
import type { ReliabilityEvent } from './observer.ts';
import { createShadowTally } from './shadow-tally.ts';

const RETRY: ReliabilityEvent = {
  type: 'shadow.decided',
  toolId: 'mail.send',
  decision: 'would_retry',
};

const NONE = {
  would_refuse_input: 0,
  would_replay: 0,
  would_wait: 0,
  would_conflict: 0,
  would_cut_off: 0,
  would_retry: 0,
  would_time_out: 0,
};

async function openFile() {
  const directory = await mkdtemp(join(tmpdir(), 'pincer-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'shadow-report.json');
  return { file, store: openShadowReportFile(file) };
}

test('goes on counting where the process before stopped', async () => {
  const { store, file } = await openFile();
  const clock = new ManualClock(1_000);
  const first = createShadowTally({ clock, store, logger: silentLogger });
  await first.start();
  first.observe(RETRY);
  await first.stop();
  clock.advance(500);
  const second = createShadowTally({ clock, store, logger: silentLogger });
  await second.start();

  second.observe(RETRY);
  second.observe({ ...RETRY, toolId: 'http.request', decision: 'would_cut_off' });

  const report = {
    sinceMs: 1_000,
    tools: [
      { toolId: 'http.request', counts: { ...NONE, would_cut_off: 1 }, lastAtMs: 1_500 },
      { toolId: 'mail.send', counts: { ...NONE, would_retry: 2 }, lastAtMs: 1_500 },
    ],
  };
  expect(second.report()).toEqual(report);
  await second.stop();
  expect(await store.read()).toEqual(report);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('counts nothing but the decisions of the shadow, and writes nothing then', async () => {
  const clock = new ManualClock();
  const store = {
    read: async () => undefined,
    write: () => Promise.reject(new Error('must not be written')),
  };
  const tally = createShadowTally({ clock, store, logger: silentLogger });

  tally.observe({ type: 'cache.conflict', toolId: 'mail.send', keyHash: 'h' });
  await tally.stop();

  expect(tally.report()).toEqual({ sinceMs: undefined, tools: [] });
  expect(clock.pendingTimers).toBe(0);
});

test('begins anew over a file that cannot be read', async () => {
  const { store, file } = await openFile();
  await writeFile(file, '{"tools": torn');
  const tally = createShadowTally({ clock: new ManualClock(7), store, logger: silentLogger });

  await tally.start();
  tally.observe(RETRY);
  await tally.stop();

  expect(await store.read()).toEqual({
    sinceMs: 7,
    tools: [{ toolId: 'mail.send', counts: { ...NONE, would_retry: 1 }, lastAtMs: 7 }],
  });
});
