import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversation, row, say } from './chat-rig.ts';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { goTo } from './look-at.ts';

const suite = test.skipIf(!BROWSER.available);
/** After so long a page that nobody tells anything has asked again. */
const FRESH_MS = 10_000;
const PATIENT = { timeout: PATIENCE_MS };
let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard();
  page = await root.open('/costs', { clockAheadMs: 0 });
});

afterAll(async () => {
  await root?.dispose();
});

const turn = (on: boolean) => root.ask('PUT', '/api/admin/kill-switch', { on });

suite('a switch that somebody else turns meanwhile is not turned back by accident', async () => {
  await turn(true);
  await page.clock.fastForward(FRESH_MS);
  await page.getByRole('button', { name: 'Go on' }).click();
  await turn(false);
  await page.clock.fastForward(FRESH_MS);
  await page.getByText('off', { exact: true }).waitFor();

  await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click();

  await page.getByRole('heading', { name: 'Go on?' }).waitFor({ state: 'detached' });
  expect(await root.ask('GET', '/api/admin/kill-switch')).toMatchObject({ on: false });
});

suite('a limit that is no number is not taken for no limit', async () => {
  await goTo(page, '/costs');
  await page.getByRole('button', { name: 'Set a budget' }).click();
  await page.getByLabel('US dollars').fill('3');
  await page.getByLabel('Tokens').fill('10k');
  await page.getByRole('button', { name: 'Save' }).click();

  expect(await page.getByLabel('Tokens').evaluate((field) => field.matches(':invalid'))).toBe(true);
  expect(await root.ask('GET', '/api/costs/budgets')).toMatchObject({ budgets: [] });
  await page.getByRole('button', { name: 'Cancel' }).click();
});

suite('a job is saved with what its words mean now', async () => {
  await goTo(page, '/schedule');
  await page.getByRole('button', { name: 'New job' }).click();
  await page.getByLabel('Name').fill('soon');
  await page.getByLabel('What the agent is told').fill('look');
  await page.getByLabel('When', { exact: true }).fill('every 2 hours');
  await page.getByText(/^Next: /).waitFor();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/text=every(\+|%20)3/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.getByLabel('When', { exact: true }).fill('every 3 hours');

  const save = page.getByRole('button', { name: 'Save' });
  await expect.poll(() => save.isDisabled()).toBe(true);
  answer();
  await save.click();
  await page.getByRole('cell', { name: 'every 3 hours' }).waitFor();
});

suite('what is written to a chat that is not there yet stays, and what is asked again is asked once', async () => {
  await goTo(page, '/chat/new');
  await say(page, 'Is it so?');
  await conversation(page).getByText('It is done.').waitFor();
  const path = new URL(page.url()).pathname;
  let answer = () => {};
  const known = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(
    `**${path.replace('/dashboard/chat/', '/api/admin/chat/sessions/')}`,
    async (route) => {
      await known;
      await route.continue();
    },
  );
  await page.reload();
  await say(page, 'And now?');
  expect(await page.getByLabel('Your message').inputValue()).toBe('And now?');
  answer();

  const again = page.getByRole('button', { name: 'Ask again, in a fork' });
  await again.dblclick();
  await expect.poll(() => new URL(page.url()).pathname, PATIENT).not.toBe(path);
  await conversation(page).getByText('It is done.').waitFor();
  const { runs } = (await root.ask('GET', '/v1/runs')) as { runs: unknown[] };
  expect(runs).toHaveLength(2);
});

suite('what was refused is not sent by coming back, but by somebody who says so', async () => {
  await turn(true);
  await goTo(page, '/chat/new');
  await say(page, 'Once more');
  await page.getByText('Not sent.').waitFor();
  await turn(false);
  await page.reload();
  await page.getByText('Not sent.').waitFor();

  await page.getByRole('button', { name: 'Try again' }).click();
  await conversation(page).getByText('It is done.').waitFor();
});

suite('a chat whose first message is sent after a reload is come to', async () => {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/v1/runs', async (route) => {
    await held;
    // What was asked before the reload waits for nothing any more.
    await route.continue().catch(() => {});
  });
  await goTo(page, '/chat/new');
  await say(page, 'Said before it');
  await page.getByText('Sending…').waitFor();
  await page.reload();
  await page.getByRole('article', { name: 'On its way' }).waitFor();

  arrive();

  await page.waitForURL(/\/chat\/session_/);
  await conversation(page).getByText('It is done.').waitFor();
  await page.unrouteAll();
});

suite('what was kept is sent from whichever page somebody comes back to', async () => {
  await page.route('**/v1/runs', (route) => route.abort());
  await goTo(page, '/chat/new');
  await say(page, 'Kept until later');
  await page.getByText('Not sent yet').waitFor();
  await page.unrouteAll();

  await page.goto(`${root.url}/dashboard/security`);

  const list = async () => JSON.stringify(await root.ask('GET', '/v1/runs?q=Kept'));
  await expect.poll(list, PATIENT).toContain('Kept until later');
});

suite('on a phone, what was asked on the first page and refused is in sight', async () => {
  await turn(true);
  await goTo(page, '/', { width: 360 });
  await page.getByLabel('Ask your agent').fill('On the way');
  await page.keyboard.press('Enter');

  await page.getByText('Not sent.').waitFor();

  await page.getByRole('button', { name: 'Discard' }).click();
  await turn(false);
});

suite('what was typed before a way to begin was chosen stays', async () => {
  await goTo(page, '/chat/new');
  await page.getByLabel('Your message').fill('My own words.');

  await page.getByRole('button', { name: /I like short answers/ }).click();

  const field = page.getByLabel('Your message');
  const whole = 'My own words.\nRemember that I like short answers.';
  await expect.poll(() => field.inputValue()).toBe(whole);
  await field.fill('');
});

suite('an entry that was gone to in the palette stays where others come in before it', async () => {
  await root.ask('POST', '/api/memory/ingest', {
    content: 'the scheduling of trains',
    priority_score: 5,
    metadata: { agent_id: 'agent_default', project_id: 'proj_001', source: 'chat', tags: [] },
  });
  await root.ask('POST', '/api/admin/agents', { agent_id: 'second', name: 'The scheduler' });
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/agents\?limit=200/, async (route) => {
    await late;
    await route.continue();
  });
  await goTo(page, '/costs');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('schedul');
  const remembered = page.getByRole('option', { name: /scheduling of trains/ });
  await remembered.waitFor();
  while ((await remembered.getAttribute('aria-selected')) !== 'true') {
    await page.keyboard.press('ArrowDown');
  }

  arrive();
  await page.getByRole('option', { name: 'The scheduler' }).waitFor();
  expect(await remembered.getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Memory', level: 1 }).waitFor();
  await page.unrouteAll();
});

suite('lists show what others changed meanwhile', async () => {
  await goTo(page, '/schedule');
  await page.getByRole('cell', { name: 'every 3 hours' }).waitFor();
  const job = { agent_id: 'agent_default', schedule: '@every 5h', message: 'look' };
  const body = { ...job, job_id: 'of-others', mode: 'isolated', enabled: true };
  await root.ask('POST', '/api/admin/scheduler/jobs', body);
  await page.clock.fastForward(FRESH_MS);
  await page.getByRole('cell', { name: 'every 5 hours' }).waitFor();

  await goTo(page, '/chat');
  await row(page, 'Once more').waitFor();
  const { sessions } = (await root.ask('GET', '/api/admin/chat/sessions')) as {
    sessions: readonly { session_id: string; title: string }[];
  };
  const id = sessions.find(({ title }) => title === 'Once more')?.session_id;
  await root.ask('PATCH', `/api/admin/chat/sessions/${id}`, { title: 'Named by others' });
  await page.clock.fastForward(FRESH_MS);
  await row(page, 'Named by others').waitFor();
});

suite('what was searched for is not searched again by itself: what is found counts for more', async () => {
  const searches: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/memory/search')) searches.push(request.url());
  });
  await goTo(page, '/memory?q=trains');
  await page.getByText('the scheduling of trains').first().waitFor();

  for (let times = 0; times < 3; times += 1) {
    // What is asked again beside it says that the time has come.
    const others = page.waitForResponse(/\/api\/memory\/stats/);
    await page.clock.fastForward(FRESH_MS);
    await others;
  }

  expect(searches).toHaveLength(1);
});

suite('a job that is changed to several times keeps the one it has', async () => {
  const job = {
    job_id: 'one-time',
    agent_id: 'agent_default',
    schedule: '@every 24h',
    message: 'look',
    mode: 'isolated',
    enabled: true,
  };
  await root.ask('POST', '/api/admin/scheduler/jobs', job);
  await goTo(page, '/schedule/one-time');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('When', { exact: true }).fill('every weekday at 9am');

  await page.getByText(/These words are 5 jobs, and this is one/).waitFor();
  await page.getByLabel('When', { exact: true }).press('Enter');

  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  expect(await root.ask('GET', '/api/admin/scheduler/jobs/one-time')).toMatchObject({
    schedule: '@every 24h',
  });
});
