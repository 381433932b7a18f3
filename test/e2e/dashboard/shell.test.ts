import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectNoSideScroll } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { goTo } from './look-at.ts';

const suite = test.skipIf(!BROWSER.available);
/** All pages one after the other. */
const TOUR_MS = 120_000;
let root: DashboardRoot;
let page: Page;

const PAGES = [
  ['/', 'Home'],
  ['/chat', 'Chat'],
  ['/runs', 'Runs'],
  ['/schedule', 'Schedule'],
  ['/agents', 'Agents'],
  ['/memory', 'Memory'],
  ['/knowledge', 'Knowledge'],
  ['/projects', 'Projects'],
  ['/skills', 'Skills & workers'],
  ['/tools', 'Tools'],
  ['/costs', 'Costs'],
  ['/audit', 'Audit'],
  ['/security', 'Security'],
  ['/settings', 'Settings'],
] as const;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard();
  page = await root.open('/');
});

afterAll(async () => {
  await root?.dispose();
});

suite(
  'every page fits a phone, and can be used by everybody in both themes',
  async () => {
    for (const [path, title] of PAGES) {
      await goTo(page, path);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoSideScroll(page);
    }
  },
  TOUR_MS,
);

suite('what stands in the address is taken as it was written', async () => {
  await goTo(page, '/');
  const name = '50%41 & more';
  const written = encodeURIComponent(name);
  for (const path of ['/agents?q=', '/skills?q=', '/settings?q=', '/audit?q=', '/runs?text=']) {
    await goTo(page, path + written);
    const field = page.locator('main').getByRole('searchbox').first();
    await expect.poll(() => field.inputValue()).toBe(name);
  }
  await page.locator('main').getByRole('searchbox').first().fill('100%25');
  await expect.poll(() => new URL(page.url()).searchParams.get('text')).toBe('100%25');
  await goTo(page, `/tools/of/${encodeURIComponent('no%2Ftool')}`);
  await page.getByText('no%2Ftool').first().waitFor();
  await goTo(page, '/tools/of/%E0%A4%A');
  await page.getByText('%E0%A4%A').first().waitFor();
});

suite('keys alone lead everywhere', async () => {
  await goTo(page, '/');
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: 'Costs', level: 1 }).waitFor();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('sched');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Schedule', level: 1 }).waitFor();

  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
});

suite('Enter right after the last letter goes where that letter leads', async () => {
  await goTo(page, '/costs');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();

  // Both within one task, as from a hand that is quicker than the page.
  await page.evaluate(`{
    const input = document.querySelector('dialog input');
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    set.call(input, 'sched');
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  }`);

  await page.getByRole('heading', { name: 'Schedule', level: 1 }).waitFor();
});

suite('the first page says what to try, then what was done and what comes', async () => {
  await goTo(page, '/');
  await page.getByRole('link', { name: /Talk to your agent/ }).waitFor();
  await root.ask('POST', '/api/admin/scheduler/jobs', {
    job_id: 'tidy-up',
    agent_id: 'agent_default',
    schedule: '@every 24h',
    message: 'tidy up',
    mode: 'isolated',
    enabled: true,
  });
  await root.ask('POST', '/v1/runs', { agent_id: 'agent_default', message: 'the first of all' });

  await page.getByRole('link', { name: /the first of all/ }).waitFor();
  await page.getByRole('heading', { name: 'Latest runs' }).waitFor();
  await page.getByRole('link', { name: /tidy-up/ }).waitFor();
  expect(await page.getByText('What to try').count()).toBe(0);
});

suite('what is asked on the first page is answered in a chat of its own', async () => {
  await goTo(page, '/');
  await page.getByLabel('Ask your agent').fill('Is it done?');
  await page.keyboard.press('Enter');

  const path = () => new URL(page.url()).pathname;
  await expect.poll(path, { timeout: PATIENCE_MS }).toMatch(/^\/dashboard\/chat\/session_/);
  await page.locator('main').getByText('It is done.').first().waitFor();
});

suite('a server that is gone is told, and everything goes on when it is back', async () => {
  await goTo(page, '/schedule');
  await page.getByRole('heading', { name: 'Schedule', level: 1 }).waitFor();

  await root.server.kill();
  await page.getByText("The server can't be reached.").waitFor();
  await root.restart();

  await page.getByText("The server can't be reached.").waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Pause all' }).waitFor();
});

suite('the theme is chosen, kept, and follows the system when asked', async () => {
  const page = await root.open('/', { theme: 'dark' });
  const shown = () => page.evaluate('document.documentElement.dataset.theme');
  expect(await shown()).toBe('dark');

  await page.getByRole('button', { name: /Change to light/ }).click();
  expect(await shown()).toBe('light');
  await page.reload();
  await page.locator('main h1').first().waitFor();

  expect(await shown()).toBe('light');
});
