import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { TOKEN } from '../torture/workload-script.ts';
import { type Between, standBetween } from './between.ts';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { createRun, reachStatus } from './runs-root.ts';

const suite = test.skipIf(!BROWSER.available);
const LOST = "The server can't be reached.";
const HELD = 'News of the server do not arrive';
const HOUR_MS = 3_600_000;
let root: DashboardRoot;
let between: Between;

beforeAll(async () => {
  if (BROWSER.available) root = await openDashboard();
});

beforeEach(async () => {
  if (BROWSER.available) between = await standBetween(root.url);
});

afterEach(() => between?.close());

afterAll(async () => {
  await root?.dispose();
});

suite('behind a proxy that gathers, it says so and shows what happens all the same', async () => {
  between.holdsStreams = true;
  const page = await root.open('/runs', { by: between.url, clockAheadMs: 0 });
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  await page.clock.fastForward(10_000);
  await page.getByText(HELD).waitFor();

  const id = await createRun(root, { message: 'told late' });
  await reachStatus(root, id, 'completed');
  await page.clock.fastForward(10_000);
  await page.getByRole('link', { name: /told late/ }).click();
  await page.getByText('It is done.').first().waitFor();
  await page.getByText('completed').first().waitFor();

  between.holdsStreams = false;
  between.cut();
  await page.clock.fastForward(10_000);
  await page.getByText(HELD).waitFor({ state: 'detached' });
});

suite('after a sleep it catches up at once, with what happened meanwhile shown once', async () => {
  const page = await root.open('/runs', { by: between.url, clockAheadMs: 0 });
  await page
    .getByText('Nothing matches')
    .or(page.getByRole('region', { name: 'Runs' }))
    .waitFor();
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);

  between.fallSilent();
  const id = await createRun(root, { message: 'while it slept' });
  await reachStatus(root, id, 'completed');
  await page.clock.fastForward(HOUR_MS);

  await page.getByRole('link', { name: /while it slept/ }).waitFor();
  expect(await page.getByRole('link', { name: /while it slept/ }).count()).toBe(1);
  await page.getByText(LOST).waitFor({ state: 'detached' });
  expect(await page.getByText(HELD).count()).toBe(0);
});

suite('what a proxy answers for a server that is gone is no refusal', async () => {
  const page = await root.open('/', { by: between.url });
  await page.getByLabel('Ask your agent').fill('Is it there?');
  between.isAlone = true;
  between.cut();
  await page.getByText(LOST).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'This page did not come' }).waitFor();

  between.isAlone = false;
  await page.getByText(LOST).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Try again' }).click();

  await page.getByRole('link', { name: 'Is it there?' }).first().click();
  await page.locator('main').getByText('It is done.').first().waitFor();
  expect(await page.getByRole('heading', { name: 'Sign in to Pincer' }).count()).toBe(0);
});

suite('a server that became another version is named, and pages it lacks say what to do', async () => {
  const page = await root.open('/', { by: between.url });
  await page.getByLabel('Ask your agent').fill('half a thought');
  between.version = '99.0.0';
  between.hasOtherFiles = true;
  between.cut();
  await page.getByText('The server is version 99.0.0 now').waitFor();

  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('heading', { name: 'This page did not come' }).waitFor();
  between.hasOtherFiles = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  expect(await page.getByLabel('Ask your agent').inputValue()).toBe('half a thought');
  await page.getByText('The server is version 99.0.0 now').waitFor();
});

suite.each([-5 * HOUR_MS, 30 * 24 * HOUR_MS])(
  'a clock that is %d ms ahead makes nothing older or younger',
  async (clockAheadMs) => {
    const id = await createRun(root, { message: 'by the right clock' });
    await reachStatus(root, id, 'completed');

    const page = await root.open('/runs', { clockAheadMs });

    const first = page.getByRole('link', { name: /by the right clock/ }).first();
    await first.waitFor();
    expect(await first.locator('time').first().innerText()).toMatch(/just now|seconds? ago/);
  },
);

suite('who signs out in one tab finds in the other what was typed there', async () => {
  const page = await root.open('/security');
  const tab = await root.openTab(page, '/');
  await tab.getByLabel('Ask your agent').fill('a thought of its own');

  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await tab.getByRole('heading', { name: 'Sign in to Pincer' }).waitFor();
  expect(await tab.getByText('a thought of its own').count()).toBe(0);
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await tab.getByLabel('Ask your agent').waitFor({ timeout: PATIENCE_MS });
  expect(await tab.getByLabel('Ask your agent').inputValue()).toBe('a thought of its own');
});

suite('whose sign-in ended asks for nothing, and goes on where they were', async () => {
  await root.ask('POST', '/api/admin/agents', { agent_id: 'before', name: 'before it' });
  const page = await root.open('/agents', { clockAheadMs: 0 });
  await page.getByRole('link', { name: 'before it' }).first().waitFor();
  await root.ask('DELETE', '/api/admin/sign-ins');
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  // Answers to what was asked before it was known.
  await page.waitForLoadState('networkidle');
  asked.length = 0;

  for (let minutes = 0; minutes < 10; minutes += 1) await page.clock.runFor(60_000);
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await root.ask('POST', '/api/admin/agents', { agent_id: 'after', name: 'after it' });
  await page.clock.fastForward(10_000);

  await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'after it' }).first().waitFor();
  expect(asked[0]).toBe('/dashboard/session');
});

suite('tabs tell each other what happens, also when the one that listens is closed', async () => {
  const page = await root.open('/runs');
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  const tab = await root.openTab(page, '/runs');
  await tab.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  await createRun(root, { message: 'for both tabs' });
  for (const one of [page, tab]) await one.getByRole('link', { name: /for both tabs/ }).waitFor();

  await page.close();
  await createRun(root, { message: 'for the one that is left' });

  await tab.getByRole('link', { name: /for the one that is left/ }).waitFor();
  expect(await tab.getByRole('link', { name: /for both tabs/ }).count()).toBe(1);
  expect(await tab.getByText(LOST).count()).toBe(0);
});
