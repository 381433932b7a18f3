import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectNoSideScroll } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { lookAt } from './look-at.ts';

const suite = test.skipIf(!BROWSER.available);
const PATIENT = { timeout: PATIENCE_MS };
const HOSTILE = `<img src=x onerror="document.title='taken'">`;
const PROJECT = 'team';
let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard();
  await addFact(['websocket endpoint', 'listens on', 'port 18789'], { agent_id: 'agent_default' });
  await addFact(['connector', 'talks to', 'websocket endpoint']);
  await addFact(['connector', 'is written in', 'TypeScript']);
  await addFact([HOSTILE, 'is <b>only</b>', 'text']);
  await root.ask('POST', '/api/memory/ingest', {
    content: 'Ports below 1024 need root',
    priority_score: 8,
    metadata: { agent_id: 'agent_default', project_id: PROJECT, source: 'chat', tags: ['network'] },
  });
  // Read once: opened first, the page would show what was there by then.
  page = await root.open('/knowledge');
});

afterAll(async () => {
  await root?.dispose();
});

suite('the graph says how much there is, and a node is chosen from the list', async () => {
  await openGraph();
  expect(await canvasOf().getAttribute('aria-label')).toContain('9 nodes and 7 edges');

  const nodes = page.getByRole('region', { name: 'All nodes' });
  await nodes.getByRole('button', { name: /connector/ }).click();
  await page.getByRole('heading', { name: 'connector', exact: true }).waitFor();
  await page.getByText('connector talks to websocket endpoint').waitFor();
  await page.getByRole('heading', { name: '2 neighbours' }).waitFor();
  expect(page.url()).toContain('node=entity%3Aconnector');

  await page.getByRole('button', { name: /talks to websocket endpoint/ }).click();
  await page.getByRole('heading', { name: 'websocket endpoint', exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'connector', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Back to all nodes' }).click();
  await nodes.getByRole('button', { name: /TypeScript/ }).waitFor();
});

suite('a press on the canvas chooses the node that is there, and beside it none', async () => {
  await openGraph();
  for (const kind of ['Things', 'Memories', 'Tags']) {
    await page.getByRole('button', { name: new RegExp(`^${kind}`) }).click();
  }
  // What is left stands in the middle.
  await expect
    .poll(() => canvasOf().getAttribute('aria-label'), PATIENT)
    .toContain('1 node and 0 edges');
  await settled();
  expect(page.url()).toContain('hide=entity%2Cmemory%2Ctag');
  await pressAt(canvasOf(), [0.5, 0.5]);
  const agent = page.getByRole('link', { name: 'Open the agent' });
  await agent.waitFor();
  expect(await agent.getAttribute('href')).toBe('/dashboard/agents/agent_default');

  await pressAt(canvasOf(), [0.1, 0.1]);
  await agent.waitFor({ state: 'detached' });
});

suite('nodes that are looked for are in the address', async () => {
  await lookAt(page, `/knowledge?project=${PROJECT}&find=typescr`);
  const nodes = page.getByRole('region', { name: 'All nodes' }).getByRole('button');
  await expect.poll(() => nodes.count(), PATIENT).toBe(1);

  await page.getByRole('searchbox', { name: 'Find a node' }).fill('connector');

  await expect.poll(() => page.url(), PATIENT).toContain('find=connector');
  await nodes.filter({ hasText: 'connector' }).click();
  await page.getByRole('heading', { name: 'connector', exact: true }).waitFor();
  expect(page.url()).not.toContain('find=');
});

suite('a node is found by its name without a mouse', async () => {
  await openGraph();
  await page.keyboard.press('/');
  await page.keyboard.type('typescr');
  await page.getByRole('region', { name: 'All nodes' }).getByText('TypeScript').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'TypeScript' }).waitFor();

  await page.getByRole('region', { name: 'Graph' }).focus();
  for (const key of ['+', 'ArrowLeft', '-', '0']) await page.keyboard.press(key);
  await page.getByRole('heading', { name: 'TypeScript' }).waitFor();
});

suite('a fact is added, found, and taken back only when it is confirmed', async () => {
  await lookAt(page, `/knowledge/facts?project=${PROJECT}`);
  await page.getByLabel('Subject').fill('dashboard');
  await page.getByLabel('Relation').fill('shows');
  await page.reload();
  await page.getByLabel('Object').fill('what is known');
  await page.getByRole('button', { name: 'Add the fact' }).click();
  await page.getByText('It is on record.').waitFor();
  expect(await page.getByLabel('Subject').inputValue()).toBe('');

  await page.getByRole('searchbox', { name: 'Search facts' }).fill('dashboard');
  const facts = page.getByRole('region', { name: 'Facts' }).getByRole('article');
  await expect.poll(() => facts.count(), PATIENT).toBe(1);
  await page.getByRole('button', { name: 'Delete: dashboard shows what is known' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await facts.count()).toBe(1);
  await page.getByRole('button', { name: 'Delete: dashboard shows what is known' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByText('No fact says that').waitFor();
});

suite('who looks at a project stays there when another becomes the newest', async () => {
  await addFact(['newest', 'is', 'this'], { project_id: 'was-newest' });
  const tab = await root.openTab(page, '/knowledge/facts');
  await tab.getByLabel('Subject').fill('half a thought');
  await expect.poll(() => tab.url(), PATIENT).toContain('project=was-newest');
  await addFact(['newest', 'is', 'that'], { project_id: 'is-newest' });
  await tab.reload();

  await tab.getByRole('option', { name: 'is-newest' }).waitFor({ state: 'attached' });
  expect(await tab.getByLabel('Project', { exact: true }).inputValue()).toBe('was-newest');
  expect(await tab.getByLabel('Subject').inputValue()).toBe('half a thought');
  await tab.close();
});

suite('what replaces ends what was so, which can still be read', async () => {
  await addFact(['release day', 'is', 'Monday']);
  await lookAt(page, `/knowledge/facts?project=${PROJECT}&q=release+day`);
  await page.getByText('Monday').waitFor();
  await page.getByLabel('Subject').fill('release day');
  await page.getByLabel('Relation').fill('is');
  await page.getByLabel('Object').fill('Tuesday');
  await page.getByLabel('It replaces what was so').check();
  await page.getByRole('button', { name: 'Add the fact' }).click();
  await page.getByRole('link', { name: 'Tuesday' }).waitFor();
  expect(await page.getByRole('link', { name: 'Monday' }).count()).toBe(0);

  await page.getByLabel('Also what no longer holds').check();
  await page.getByRole('link', { name: 'Monday' }).waitFor();
  await removeFacts('release day');
});

suite('a refusal keeps what was typed', async () => {
  await lookAt(page, `/knowledge/facts?project=${PROJECT}`);
  await page.getByLabel('Subject').fill('   ');
  await page.getByLabel('Relation').fill('is');
  await page.getByLabel('Object').fill('nothing');
  await page.getByRole('button', { name: 'Add the fact' }).click();

  await page
    .getByRole('alert')
    .getByText(/must not be empty/)
    .waitFor();
  expect(await page.getByLabel('Object').inputValue()).toBe('nothing');
});

suite('the feed tells what was learned, and leads there', async () => {
  await lookAt(page, `/knowledge/feed?project=${PROJECT}`);
  const feed = page.getByRole('region', { name: 'Feed' });
  await feed.getByText('connector is written in TypeScript').waitFor();
  const entry = feed.getByRole('article').filter({ hasText: 'Ports below 1024' });
  await entry.getByRole('link', { name: 'Memory' }).click();

  await page.getByRole('heading', { name: 'This memory' }).waitFor();
});

suite('a project without knowledge says what to do next', async () => {
  await lookAt(page, '/knowledge?project=nobody-knows');

  await page.getByText('Nothing was learned in nobody-knows yet').waitFor();
  await page.getByRole('link', { name: 'Add a fact' }).click();
  await page.getByRole('form', { name: 'Add a fact' }).waitFor();
});

suite('hostile text is text', async () => {
  await lookAt(
    page,
    `/knowledge/graph?project=${PROJECT}&node=${encodeURIComponent(`entity:${HOSTILE}`)}`,
  );
  await page.getByRole('heading', { name: HOSTILE }).waitFor();
  await page.getByText(`${HOSTILE} is <b>only</b> text`).waitFor();
  await page.getByRole('tab', { name: 'Facts' }).click();
  await page.getByRole('region', { name: 'Facts' }).getByText(HOSTILE).waitFor();

  expect(await page.locator('img[src=x], main b').count()).toBe(0);
  expect(await page.title()).toBe('Knowledge · Pincer');
});

suite('everybody can use it', async () => {
  await lookAt(page, `/knowledge?project=${PROJECT}&node=entity:connector`);
  await page.getByText('connector talks to websocket endpoint').waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Feed' }).click();
  await page.getByRole('region', { name: 'Feed' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Facts' }).click();
  await page.getByRole('region', { name: 'Facts' }).waitFor();
  await expectAccessible(page);
});

suite('nothing sticks out on a phone', async () => {
  await lookAt(page, `/knowledge?project=${PROJECT}`, { width: 360 });
  await page.getByRole('region', { name: 'All nodes' }).waitFor();
  await expectNoSideScroll(page);
  await page.getByRole('tab', { name: 'Facts' }).click();
  await page.getByRole('region', { name: 'Facts' }).waitFor();
  await expectNoSideScroll(page);
});

async function openGraph(): Promise<void> {
  await lookAt(page, `/knowledge?project=${PROJECT}`);
  await settled();
}

function canvasOf(): Locator {
  return page.getByRole('region', { name: 'Graph' }).getByRole('img');
}

async function settled(): Promise<void> {
  await expect.poll(() => canvasOf().getAttribute('data-settled'), PATIENT).toBe('true');
}

/** At a part of its width and height. */
async function pressAt(canvas: Locator, [across, down]: readonly [number, number]): Promise<void> {
  const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
  await canvas.click({ position: { x: width * across, y: height * down } });
}

function addFact(
  [subject, relation, object]: readonly [string, string, string],
  more: object = {},
): Promise<unknown> {
  const fact = { project_id: PROJECT, subject, relation, object, ...more };
  return root.ask('POST', '/api/knowledge/facts', fact);
}

async function removeFacts(subject: string): Promise<void> {
  const query = new URLSearchParams({ project_id: PROJECT, subject, include_past: 'true' });
  const { facts } = (await root.ask('GET', `/api/knowledge/facts?${query}`)) as {
    facts: readonly { fact_id: string }[];
  };
  for (const { fact_id } of facts) await root.ask('DELETE', `/api/knowledge/facts/${fact_id}`);
}
