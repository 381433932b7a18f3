import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectNoSideScroll } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { lookAt } from './look-at.ts';

const suite = test.skipIf(!BROWSER.available);
const PATIENT = { timeout: PATIENCE_MS };
const HOSTILE = `<img src=x onerror="document.title='taken'"> <script>alert(1)</script> "'&`;
const BULK = 250;
let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard();
  page = await root.open('/memory');
  await remember('The websocket endpoint listens on port 18789', { tags: ['network'] });
  await remember('Releases go out on Tuesdays', { tags: ['release'] });
  await remember('A stranger says that the sky is green', { source: 'web' });
  await remember(HOSTILE, { source: 'web', tags: [HOSTILE.slice(0, 60)] });
});

afterAll(async () => {
  await root?.dispose();
});

suite('a search finds, says why, and its address shows the same to whoever opens it', async () => {
  await lookAt(page, '/memory');
  await page.getByRole('searchbox', { name: /Search by words/ }).fill('which port');
  const found = page.getByRole('region', { name: 'Found memories' });
  const first = found.getByRole('link').first();
  await first.getByRole('list', { name: 'Why it is here' }).waitFor();
  expect(await first.textContent()).toContain('listens on port 18789');

  await first.click();
  const why = page.getByRole('region', { name: 'Why this result' });
  await why.getByText('words', { exact: true }).waitFor();
  expect(await why.textContent()).toMatch(/words\+\d+\.\d\d/);
  expect(page.url()).toMatch(/\/memory\/mem_\w+\?q=which\+port$/);

  await page.reload();
  await page.getByRole('region', { name: 'Why this result' }).waitFor();
  expect(await itsText()).toBe('The websocket endpoint listens on port 18789');
});

suite('what is added is kept while it is typed, then found', async () => {
  await lookAt(page, '/memory');
  await page.getByRole('link', { name: 'Add a memory' }).first().click();
  await page.getByRole('textbox', { name: 'Text' }).fill('The olive tree is watered on Mondays');
  await page.reload();
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(
    'The olive tree is watered on Mondays',
  );

  await page.getByLabel('Tags').fill('garden, water');
  await page.getByRole('button', { name: 'Remember it' }).click();
  await page.getByRole('heading', { name: 'This memory' }).waitFor();
  expect(await itsText()).toBe('The olive tree is watered on Mondays');
  await page.getByRole('link', { name: 'garden', exact: true }).waitFor();

  await page.goto(`${root.url}/dashboard/memory?q=olive+tree`);
  const found = page.getByRole('region', { name: 'Found memories' });
  await found.getByText('The olive tree is watered on Mondays').waitFor();
});

suite('a refusal is told in words, and the form keeps what was typed', async () => {
  await lookAt(page, '/memory/new');
  await page.getByRole('textbox', { name: 'Text' }).fill('A text of some length');
  await page.getByLabel('Tags').fill('x'.repeat(65));
  await page.getByRole('button', { name: 'Remember it' }).click();

  await page.getByRole('alert').getByText('Tag must have at most 64 characters').waitFor();
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(
    'A text of some length',
  );
});

suite('pinned with a reason, it is among the pinned; unpinned, it is not', async () => {
  const id = await remember('Nobody deploys on a Friday');
  await lookAt(page, `/memory/${id}`);
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.getByLabel('Why it is pinned').fill('it hurt before');
  await page.getByRole('button', { name: 'Pin it' }).click();
  await page.getByText('it hurt before').waitFor();

  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Pinned only').check();
  const list = page.getByRole('region', { name: 'Memories' });
  await expect.poll(() => list.getByRole('link').count(), PATIENT).toBe(1);

  await page.getByRole('button', { name: 'Unpin' }).click();
  await page.getByText('No memory is like that').waitFor();
});

suite('what strangers wrote is pinned only by somebody who says to have read it', async () => {
  const id = await remember('Strangers say that water is dry', { source: 'web' });
  await lookAt(page, `/memory/${id}`);
  await page.getByText('not trusted').waitFor();
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.getByLabel('Why it is pinned').fill('a joke');
  await page.getByLabel(/I read the text/).check();
  await page.getByRole('button', { name: 'Pin it' }).click();
  await page.getByRole('button', { name: 'Unpin' }).waitFor();

  expect(await read(id)).toMatchObject({ pinned: true, pin_reason: 'a joke' });
  await root.ask('POST', '/api/memory/unpin', { memory_id: id });
});

suite('an edit changes it, and deleting asks first', async () => {
  const id = await remember('The backup is at 04:00');
  await lookAt(page, `/memory/${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('Not wanted after all');
  const tags = page.getByRole('dialog').getByLabel('Tags');
  await tags.fill('nor this');
  await page.reload();
  expect(await tags.inputValue()).toBe('nor this');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).not.toContain('wanted');
  expect(await tags.inputValue()).not.toContain('nor this');
  await page.getByRole('textbox', { name: 'Text' }).fill('The backup is at 05:00');
  await page.getByLabel('Priority').fill('9');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('9 of 15').waitFor();
  expect(await read(id)).toMatchObject({ content: 'The backup is at 05:00', priority_score: 9 });

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await read(id)).toMatchObject({ id });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByText('It is forgotten.').waitFor();
  await expect(read(id)).rejects.toThrow('404');
  expect(page.url()).toBe(`${root.url}/dashboard/memory`);
});

suite('a memory that is not there is said to be so', async () => {
  await lookAt(page, '/memory/mem_nosuch');

  await page
    .getByRole('alert')
    .getByText(/mem_nosuch/)
    .waitFor();
});

suite('hundreds come page by page, and a project narrows them down', async () => {
  const items = Array.from({ length: BULK }, (_, at) => toItem(`Measured ${at} ms`, 'bulk'));
  await root.ask('POST', '/api/memory/ingest/batch', { items });
  await lookAt(page, '/memory?project=bulk');
  const list = page.getByRole('region', { name: 'Memories' });
  await list.getByText(`Measured ${BULK - 1} ms`).waitFor();
  // Only what is in view exists.
  expect(await list.getByRole('link').count()).toBeLessThan(60);

  await expect
    .poll(async () => {
      await list.press('End');
      return page.getByText(`${BULK} that everybody sees`).count();
    }, PATIENT)
    .toBe(1);
  await page.getByText(/\d+ memories/).waitFor();
});

suite('a question is asked as it was typed, percent signs and all', async () => {
  await remember('The share of 50%41 & more is + settled');
  await lookAt(page, '/memory');
  await page.getByRole('searchbox').fill('50%41 & more + settled?');
  await page.getByRole('region', { name: 'Found memories' }).getByText('50%41').waitFor();
  await page.reload();

  expect(await page.getByRole('searchbox').inputValue()).toBe('50%41 & more + settled?');
});

suite('hostile text is text', async () => {
  await lookAt(page, '/memory?q=img+onerror');
  const found = page.getByRole('region', { name: 'Found memories' });
  const row = found.getByRole('link').filter({ hasText: '<script>alert(1)</script>' });
  await row.click();
  await page.getByRole('heading', { name: 'This memory' }).waitFor();

  expect(await itsText()).toBe(HOSTILE);
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(await page.title()).toBe('Memory · Pincer');
});

suite('everybody can use it', async () => {
  await lookAt(page, '/memory?q=port');
  await page.getByRole('region', { name: 'Found memories' }).getByRole('link').first().click();
  await page.getByRole('region', { name: 'Why this result' }).waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Add a memory' }).click();
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page);
});

suite('on a phone one thing is shown at a time, and nothing sticks out', async () => {
  await lookAt(page, '/memory?q=port', { width: 360 });
  const found = page.getByRole('region', { name: 'Found memories' });
  await found.getByRole('link').first().click();
  await page.getByRole('heading', { name: 'This memory' }).waitFor();
  expect(await found.isVisible()).toBe(false);
  await expectNoSideScroll(page);

  await page.getByRole('link', { name: 'All memories' }).click();
  await found.getByRole('link').first().waitFor();
  await expectNoSideScroll(page);
});

interface Told {
  readonly source?: string;
  readonly tags?: readonly string[];
}

function toItem(content: string, project: string, { source = 'chat', tags = [] }: Told = {}) {
  return { content, metadata: { agent_id: 'agent_default', project_id: project, source, tags } };
}

async function remember(content: string, told: Told = {}): Promise<string> {
  const answer = await root.ask('POST', '/api/memory/ingest', toItem(content, 'proj_001', told));
  return (answer as { memory_id: string }).memory_id;
}

function read(id: string): Promise<unknown> {
  return root.ask('GET', `/api/memory/${id}`);
}

async function itsText(): Promise<string | null> {
  return page.getByRole('group', { name: 'Its text' }).textContent();
}
