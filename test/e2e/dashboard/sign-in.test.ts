import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOKEN } from '../torture/workload-script.ts';
import { expectAccessible } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';

const suite = test.skipIf(!BROWSER.available);
let root: DashboardRoot;

beforeAll(async () => {
  if (BROWSER.available) root = await openDashboard();
});

afterAll(async () => {
  await root?.dispose();
});

suite('a link signs one browser in, once, and its code is gone from the address', async () => {
  const { url: link } = (await root.ask('POST', '/api/admin/sign-ins/codes')) as { url: string };
  const page = await root.openBlank();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Home' }).waitFor();

  expect(page.url()).toBe(`${root.url}/dashboard/`);
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).toBe('{}');

  const other = await root.openBlank();
  await other.goto(link);
  await other
    .getByText(/run .?claw dashboard/i)
    .first()
    .waitFor();
  expect(await other.getByRole('heading').first().textContent()).toBe('Sign in to Pincer');
});

suite('a pasted token signs in, a wrong one is refused in words', async () => {
  const page = await root.openBlank();
  await page.goto(`${root.url}/`);
  await page.getByLabel('Token').fill('no-such-token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(/token/i).nth(1).waitFor();
  await expectAccessible(page);

  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

suite('a session that was ended asks again in front of the page, and keeps what was typed', async () => {
  const page = await root.open('/');
  await page.getByLabel('Ask your agent').fill('a long thought');
  await root.ask('DELETE', '/api/admin/sign-ins');
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();

  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });

  expect(await page.getByLabel('Ask your agent').inputValue()).toBe('a long thought');
});

suite('signing out ends every tab of the browser', async () => {
  const page = await root.open('/');
  const tab = await root.openTab(page, '/costs');
  await tab.getByRole('heading', { name: 'Costs' }).waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();

  await page.getByRole('heading', { name: 'Sign in to Pincer' }).waitFor();
  await tab.getByRole('heading', { name: 'Sign in to Pincer' }).waitFor();
});
