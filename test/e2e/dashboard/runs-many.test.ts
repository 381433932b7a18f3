import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { BUSY_STEPS, endedRun } from './runs-root.ts';
import { copyLongRun, copyRuns } from './seed-runs.ts';

const suite = test.skipIf(!BROWSER.available);
/** Fifty requests one after the other, and more events than anybody reads, on a machine that does other things too. */
const LONG_MS = 150_000;
let root: DashboardRoot;
let busy: string;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard({ steps: BUSY_STEPS });
  busy = await endedRun(root, { message: 'The first' });
});

afterAll(async () => {
  await root?.dispose();
});

suite(
  'stays small with ten thousand runs',
  async () => {
    copyRuns(root.path, busy, 10_000);
    const page = await root.open('/runs');
    const runs = page.getByRole('region', { name: 'Runs' });
    await runs.getByText('Copy 1', { exact: true }).waitFor();
    const count = page.getByText(/runs( so far)?$/);

    // To the end of what is there, again and again: each time there is more.
    const reachEnd = async () => {
      await runs.evaluate((list) => list.scrollTo(0, list.scrollHeight));
      return count.innerText();
    };
    await expect.poll(reachEnd, { timeout: LONG_MS, interval: 50 }).toBe('10,001 runs');

    const isLastShown = async () => {
      await reachEnd();
      return runs.getByText('Copy 10000', { exact: true }).isVisible();
    };
    await expect.poll(isLastShown, { timeout: PATIENCE_MS }).toBe(true);
    expect(await runs.getByRole('link').count()).toBeLessThan(60);
  },
  LONG_MS + PATIENCE_MS,
);

suite(
  'stays small with a hundred thousand events, and leads to each',
  async () => {
    const long = copyLongRun(root.path, busy, 100_000);
    const page = await root.open(`/runs/${long}?tab=events&seq=99000`);
    const events = page.getByRole('region', { name: 'Events' });

    await page.getByText('100,000 events').waitFor({ timeout: LONG_MS });
    await events.getByRole('button', { name: /^99000\b/ }).waitFor();
    expect(await events.getByRole('button').count()).toBeLessThan(100);
  },
  LONG_MS + PATIENCE_MS,
);
