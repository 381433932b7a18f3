import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectNoSideScroll } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { lookAt } from './look-at.ts';

const suite = test.skipIf(!BROWSER.available);
const PATIENT = { timeout: PATIENCE_MS };
const HOSTILE = `<b>50%41/..</b>`;
let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard();
  page = await root.open('/projects');
});

afterAll(async () => {
  await root?.dispose();
});

suite('without projects the page says how one comes to be', async () => {
  await lookAt(page, '/projects');

  await page.getByText('No projects yet').waitFor();
});

suite('a run shows up on the timeline while it is looked at, and is counted', async () => {
  await lookAt(page, '/projects/garden');
  await page.getByText('Nothing happened here yet').waitFor();
  await start('Water the olive tree', 'garden');

  const timeline = page.getByRole('list', { name: 'Timeline' });
  await timeline.getByText('was asked: Water the olive tree').waitFor();
  await timeline.getByText('has finished').waitFor();
  await page.getByText('done', { exact: true }).waitFor();
  const link = timeline.getByRole('link', { name: 'its run' }).first();
  expect(await link.getAttribute('href')).toMatch(/^\/dashboard\/runs\/run_\w+$/);
  await page
    .getByRole('link', { name: /Pincer/ })
    .last()
    .waitFor();

  await page.getByRole('link', { name: 'All projects' }).click();
  const row = page.getByRole('row', { name: /garden/ });
  await expect.poll(() => row.textContent(), PATIENT).toMatch(/^gardendone0010/);
});

suite('costs are told by agent, and a budget is set against them', async () => {
  await root.ask('POST', '/api/costs/usage', {
    ...{ project_id: 'dear', agent_id: 'agent_default' },
    ...{ tokens_in: 1_200, tokens_out: 300, cost_usd: 4.5 },
  });
  await lookAt(page, '/projects/dear');
  await page.getByText('no budget').waitFor();
  await page.getByRole('button', { name: 'Set the budget' }).click();
  await page.getByLabel('US dollars').fill('a lot');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('US dollars').inputValue()).toBe('a lot');

  await page.getByLabel('US dollars').fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('near its limit').waitFor();
  await page.getByText('$0.50 left of $5.00').waitFor();
  const agents = page.getByRole('list', { name: 'By agent' });
  expect(await agents.textContent()).toContain('1,200 in, 300 out');
});

suite('a name that looks like markup, a path or an encoding is a name', async () => {
  await root.ask('POST', '/api/knowledge/facts', {
    ...{ project_id: HOSTILE, subject: 'a', relation: 'is', object: 'b' },
  });
  await lookAt(page, '/projects');
  await page.getByRole('link', { name: HOSTILE }).click();
  await page.getByRole('heading', { name: HOSTILE }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: HOSTILE }).waitFor();
  expect(await page.locator('main b').count()).toBe(0);

  await page.getByRole('link', { name: 'What was learned' }).click();
  await page.getByRole('img', { name: /2 nodes and 1 edge\./ }).waitFor();
});

suite('everybody can use it', async () => {
  await start('Prune the roses', 'roses');
  await lookAt(page, '/projects/roses');
  await page.getByRole('list', { name: 'Timeline' }).getByText('has finished').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.getByRole('row', { name: /roses/ }).waitFor();
  await expectAccessible(page);
});

suite('nothing sticks out on a phone', async () => {
  await start('x'.repeat(300), 'long-words');
  await lookAt(page, '/projects/long-words', { width: 360 });
  await page.getByRole('list', { name: 'Timeline' }).getByText('has finished').waitFor();
  await expectNoSideScroll(page);
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.getByRole('row', { name: /long-words/ }).waitFor();
  await expectNoSideScroll(page);
});

async function start(message: string, projectId: string): Promise<void> {
  const body = { agent_id: 'agent_default', message, project_id: projectId };
  await root.ask('POST', '/v1/runs', body);
}
