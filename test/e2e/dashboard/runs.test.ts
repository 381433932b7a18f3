import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectNoSideScroll } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';
import { lookAt } from './look-at.ts';
import { BUSY_STEPS, endedRun } from './runs-root.ts';

const suite = test.skipIf(!BROWSER.available);
const HOSTILE = '<img src=x onerror=alert(1)> & "quoted"';
let root: DashboardRoot;
let page: Page;
let busy: string;
let direct: string;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard({ steps: BUSY_STEPS });
  busy = await endedRun(root, { message: HOSTILE });
  direct = await endedRun(root, { message: '/tool time.now {}' });
  page = await root.open('/runs');
});

afterAll(async () => {
  await root?.dispose();
});

suite('lists runs, narrowed by the address, and leads to each by keys', async () => {
  await lookAt(page, '/runs');
  const runs = page.getByRole('region', { name: 'Runs' });

  await runs.getByRole('link').first().waitFor();
  expect(await runs.getByRole('link').count()).toBe(2);
  await runs.getByText(HOSTILE).waitFor();
  await page.getByLabel('Status').selectOption('failed');
  await page.getByText('No run matches').waitFor();
  expect(new URL(page.url()).search).toBe('?status=failed');
  await page.goBack();
  await page.getByRole('searchbox', { name: 'Search what was said' }).fill('QUOTED');
  await expect.poll(() => runs.getByRole('link').count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?text=QUOTED');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => runs.getByRole('link').count()).toBe(2);

  await page.getByLabel('Source').selectOption('scheduler');
  await page.getByText('No run matches').waitFor();
  await page.getByLabel('Source').selectOption('http');
  await page.getByLabel('From').fill('2020-01-01T00:00');
  await expect.poll(() => runs.getByRole('link').count()).toBe(2);
  await page.getByLabel('Until').fill('2020-01-02T00:00');
  await page.getByText('No run matches').waitFor();
  expect(new URL(page.url()).searchParams.get('to')).toBe('2020-01-02T00:00');
  await page.getByRole('button', { name: 'Clear' }).click();

  await page.locator('h1').click();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('k');
  await expect.poll(() => page.evaluate('document.activeElement.dataset.run')).toBe(direct);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '/tool time.now {}' }).waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: HOSTILE }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: '/tool time.now {}' }).waitFor();
});

suite('shows turns and calls as bars, and all about the selected one', async () => {
  await lookAt(page, `/runs/${busy}`);
  const bars = page.getByRole('region', { name: 'Turns and calls' });
  const details = (name: string) => page.getByRole('region', { name: `Details of ${name}` });

  await bars.getByRole('button', { name: /Turn 3/ }).waitFor();
  expect(await bars.getByRole('button', { name: /Turn|fs\.|time\./ }).allInnerTexts()).toEqual([
    expect.stringContaining('Turn 1'),
    expect.stringContaining('fs.list'),
    expect.stringContaining('time.now'),
    expect.stringContaining('Turn 2'),
    expect.stringContaining('fs.read'),
    expect.stringContaining('Turn 3'),
  ]);
  await bars.getByText(/· 1,280 tokens/).waitFor();
  // What failed is what one looks for.
  await details('fs.read').getByText('missing.txt does not exist').first().waitFor();
  await bars.getByRole('button', { name: /Turn 1/ }).click();
  await details('Turn 1').getByText('900 tokens').waitFor();
  await details('Turn 1')
    .getByText(/offered, 2 taken/)
    .waitFor();
  expect(new URL(page.url()).searchParams.get('span')).toBe('turn-1');
  await page.keyboard.press('ArrowDown');
  await details('fs.list').getByText('only reads').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await details('Turn 2').getByText('overloaded <img src=x onerror=alert(1)>').waitFor();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => bars.getByRole('button', { name: /fs\.read/ }).count()).toBe(0);

  await page.reload();
  await details('Turn 2').waitFor();
});

suite('is a log to read, events to unfold, and the prompt of each turn', async () => {
  await lookAt(page, `/runs/${busy}?tab=log`);

  await page.getByText('Says, and wants 2 calls').waitFor();
  await page.getByText('<script>alert(1)</script>').first().waitFor();
  await page.getByRole('tab', { name: /Events/ }).click();
  await page.getByLabel('Type of event').selectOption('tool.result');
  const events = page.getByRole('region', { name: 'Events' });
  await expect.poll(() => events.getByRole('button', { expanded: false }).count()).toBe(3);
  await events.getByRole('button', { expanded: false }).last().click();
  await events.getByText('"missing.txt does not exist"').first().waitFor();
  expect(new URL(page.url()).searchParams.get('type')).toBe('tool.result');
  await page.getByRole('tab', { name: 'Prompt' }).click();
  await page.getByLabel('Turn').selectOption('2');
  await page
    .getByRole('region', { name: 'System' })
    .getByText(/You are/)
    .waitFor();
  await page.getByRole('region', { name: 'Tool time.now' }).waitFor();
  await page.getByRole('tab', { name: 'Bundle' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the bundle' }).click();
  expect((await saved).suggestedFilename()).toBe(`${busy}.tar.gz`);
});

suite('says in words that there is no such run', async () => {
  await lookAt(page, '/runs/run_00000000000000000000000000');

  await page
    .getByText(/does not exist/)
    .first()
    .waitFor();
});

suite('can be used by everybody', async () => {
  await lookAt(page, `/runs/${busy}?tab=events&seq=5`);
  await page.getByRole('region', { name: 'Events' }).waitFor();
  await expectAccessible(page);

  await lookAt(page, `/runs/${busy}?tab=prompt`);
  await page.getByRole('region', { name: 'System' }).waitFor();
  await expectAccessible(page);

  await lookAt(page, `/runs/${busy}`);
  await page.getByRole('region', { name: 'Details of fs.read' }).waitFor();
  await expectAccessible(page);
});

suite('fits a phone', async () => {
  await lookAt(page, '/runs', { width: 360 });
  await page.getByRole('region', { name: 'Runs' }).getByRole('link').first().waitFor();
  await expectNoSideScroll(page);

  for (const tab of ['timeline', 'log', 'events', 'prompt', 'bundle']) {
    await lookAt(page, `/runs/${busy}?tab=${tab}`, { width: 360 });
    await page.getByRole('tabpanel').waitFor();
    await expectNoSideScroll(page);
  }
});
