import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAgent, beginChat, conversation, PATIENT, writeSteps } from './chat-rig.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';
import { goTo, lookAt } from './look-at.ts';
import { createRun, reachStatus } from './runs-root.ts';

const suite = test.skipIf(!BROWSER.available);
/** A hundred runs on a machine that does other things too. */
const LONG = { timeout: 120_000 };
let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard();
  page = await root.open('/');
});

afterAll(async () => {
  await root?.dispose();
});

/** Answers with this instead of what the server says, until the returned function is called. */
async function answer(address: string | RegExp, fulfil: { status: number; body: string }) {
  await page.route(address, (route) =>
    route.fulfill({ ...fulfil, contentType: 'application/json' }),
  );
  return () => page.unroute(address);
}

const FAULT = { status: 500, body: '{"error":{"code":"internal.error","message":"broken"}}' };

suite('that all is well is said only by who was asked', async () => {
  const mend = await answer(/\/observability\/summary/, FAULT);
  await page.reload();
  await page.getByText('Not known yet').waitFor();
  expect(await page.getByText('All is well').count()).toBe(0);

  await mend();
  await page.reload();
  await page.getByText('All is well').waitFor();
});

suite('chats that can not be read are not taken for none', async () => {
  const mend = await answer(/\/chat\/sessions\?/, FAULT);
  await lookAt(page, '/chat');
  await page.getByRole('complementary', { name: 'Chats' }).getByRole('alert').waitFor();
  expect(await page.getByText('No chats yet').count()).toBe(0);

  await mend();
  await page.getByRole('complementary').getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No chats yet').waitFor();
});

suite('a message that was answered long ago is not on its way', async () => {
  // A page of the real length would take many more messages to fill.
  await page.route(/\/messages\?limit=100/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=40') }),
  );
  const answers = Array.from({ length: 25 }, () => ({ text: ['It is done.'] }));
  await addAgent(root, 'talker', answers);
  await goTo(page, '/chat/new');
  const sessionId = await beginChat(page, 'talker', 'the very first');
  await conversation(page).getByText('It is done.').waitFor();
  for (let at = 0; at < 24; at += 1) {
    const body = { agent_id: 'talker', session_id: sessionId, message: `message ${at}` };
    const { id } = (await root.ask('POST', '/v1/runs', body)) as { id: string };
    await reachStatus(root, id, 'completed');
  }
  await goTo(page, '/chat/new');

  await goTo(page, `/chat/${sessionId}`);
  await conversation(page).getByText('message 23').waitFor();

  expect(await page.getByRole('article', { name: 'On its way' }).count()).toBe(0);
  await page.unrouteAll();
});

suite('what somebody else adds is seen without asking again', async () => {
  await goTo(page, '/agents');

  await addAgent(root, 'newcomer', [{ text: ['Hello.'] }]);

  await page.getByRole('link', { name: 'newcomer' }).first().waitFor();
});

suite('why something that was confirmed failed is told in front of it', async () => {
  await goTo(page, '/security');
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  const mend = await answer(/\/sign-ins$/, FAULT);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sign out' }).click();

  await dialog.getByRole('alert').getByText('Broken.').waitFor();
  await mend();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await dialog.waitFor({ state: 'detached' });
});

suite('what runs is on the first page, however long ago it began', LONG, async () => {
  await writeSteps(root, 'slow', [{ text: ['And so on'], hang: true }]);
  const slow = await createRun(root, { message: 'the slow one', model: 'scripted/slow.json' });
  await reachStatus(root, slow, 'running');
  for (let at = 0; at < 101; at += 1) await createRun(root, { message: `a quick one, ${at}` });
  const countOpen = async () => {
    const { runs } = (await root.ask('GET', '/v1/runs?status=queued,running')) as { runs: [] };
    return runs.length;
  };
  await expect.poll(countOpen, PATIENT).toBe(1);

  await goTo(page, '/');

  await page.getByRole('heading', { name: 'What runs' }).waitFor();
  await page.getByRole('link', { name: /the slow one/ }).waitFor();
  await root.ask('POST', `/v1/runs/${slow}/cancel`, {});
});

suite('a page that broke over one thing shows the next', async () => {
  const broken = await createRun(root, { message: 'this one breaks' });
  const sound = await createRun(root, { message: 'this one is sound' });
  await reachStatus(root, sound, 'completed');
  await answer(new RegExp(`/v1/runs/${broken}$`), { status: 200, body: '{"id":"half"}' });
  await lookAt(page, `/runs/${broken}`);
  await page.getByRole('heading', { name: 'This page broke' }).waitFor();

  await lookAt(page, `/runs/${sound}`);

  await page.getByRole('heading', { name: 'this one is sound' }).waitFor();
  await page.unrouteAll();
});

suite('the way to stop everything leads to the switch', async () => {
  await goTo(page, '/', { width: 360 });
  await page.setViewportSize({ width: 360, height: 500 });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('stop every');
  await page.keyboard.press('Enter');

  const button = page.getByRole('button', { name: 'Stop everything' });
  await button.waitFor();
  const isInView = () =>
    button.boundingBox().then((box) => box !== null && box.y >= 0 && box.y + box.height <= 500);
  await expect.poll(isInView, PATIENT).toBe(true);
});

suite('days of spending are those of the server, wherever somebody looks from', async () => {
  await root.ask('POST', '/api/costs/usage', {
    ...{ project_id: 'dear', agent_id: 'agent_default' },
    ...{ tokens_in: 1_200, tokens_out: 300, cost_usd: 4.5 },
  });
  const today = new Date().toISOString().slice(0, 10);
  const west = await root.open('/costs', { timezone: 'America/Los_Angeles' });
  const chart = west.getByRole('img', { name: /^Spending by day/ });
  await chart.locator('canvas').waitFor();

  const box = await chart.locator('.u-over').boundingBox();
  await west.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 2, (box?.y ?? 0) + 20);

  const told = chart.locator('.u-legend .u-value').first();
  await expect.poll(() => told.innerText(), PATIENT).toContain(today);
});

/** The mark of the first line against the accent of the page. */
const IS_OF_THE_THEME = `(() => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--accent)';
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  return getComputedStyle(document.querySelectorAll('.u-legend .u-marker')[1]).borderTopColor === wanted;
})()`;

suite('a chart has the colours of the theme that the system turns to', async () => {
  await goTo(page, '/costs');
  await page.locator('.u-legend .u-marker').nth(1).waitFor();
  const isSame = () => page.evaluate(IS_OF_THE_THEME);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });

  await expect.poll(isSame, PATIENT).toBe(true);
  await page.emulateMedia({ colorScheme: 'light' });
});
