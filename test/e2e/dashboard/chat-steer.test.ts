import { afterEach, expect, test } from 'vitest';
import { addAgent, beginChat, conversation, PATIENT, writeSteps } from './chat-rig.ts';
import { expectAccessible } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';

/** The end of a text that may still become a secret is held back. */
const FILLER = 'And more of it. '.repeat(40);

const it = test.skipIf(!BROWSER.available);

let root: DashboardRoot | undefined;

afterEach(async () => {
  await root?.dispose();
  root = undefined;
});

/** One of them starts a server twice. */
const LONG = { timeout: 180_000 };

it('tells a run something on its way, which outlives kill -9 and is read once', LONG, async () => {
  root = await openDashboard();
  await addAgent(root, 'stuck', [{ text: [`The first half, ${FILLER}`], hang: true }]);
  const page = await root.open('/chat/new');
  await beginChat(page, 'stuck', 'Tell me all of it');
  await conversation(page).getByText('The first half,').waitFor();

  const field = page.getByLabel('Your message');
  await field.fill('<b>only the short version</b>');
  await page.getByRole('button', { name: 'Tell it now' }).click();
  await conversation(page).getByText('<b>only the short version</b>').waitFor();
  await conversation(page)
    .getByText(/reads this before its next step/)
    .waitFor();
  expect(await field.inputValue()).toBe('');
  await expectAccessible(page);

  await writeSteps(root, 'stuck', [{ text: ['Short.'] }, { text: ['Shorter.'] }]);
  await root.restart();
  await conversation(page).getByText('Short.').waitFor();
  await conversation(page).getByRole('link', { name: 'Run' }).waitFor();

  const told = () => conversation(page).getByText('<b>only the short version</b>').count();
  expect(await told()).toBe(1);
  expect(await conversation(page).getByRole('article').count()).toBe(1);
  expect(
    await conversation(page)
      .getByText(/before its next step/)
      .count(),
  ).toBe(0);
  await page.reload();
  await conversation(page).getByText('Short.').waitFor();
  await expect.poll(told, PATIENT).toBe(1);
});

it('offers what came too late for its run as the next message', LONG, async () => {
  root = await openDashboard();
  await addAgent(root, 'quick', [
    { text: [`Half of it, ${FILLER}`], hang: true },
    { text: ['Heard the second.'] },
  ]);
  const page = await root.open('/chat/new');
  const sessionId = await beginChat(page, 'quick', 'Go on');
  await conversation(page).getByText('Half of it,').waitFor();
  const { runs } = (await root.ask('GET', `/v1/runs?session_id=${sessionId}`)) as {
    runs: readonly { id: string }[];
  };
  const steered = `**/v1/runs/${runs[0]?.id}/steer`;
  // The run ends between the press and its arrival.
  await page.route(steered, async (route) => {
    await root?.ask('POST', `/v1/runs/${runs[0]?.id}/cancel`, {});
    await route.continue();
  });

  await page.getByLabel('Your message').fill('one more thing');
  await page.getByLabel('Your message').press('Control+Enter');
  await page.getByText('It had ended before it could read this.').waitFor();
  expect(await page.getByLabel('Your message').inputValue()).toBe('one more thing');
  await writeSteps(root, 'quick', [{ text: ['unused'] }, { text: ['Heard the second.'] }]);
  await page.getByRole('button', { name: 'Send it as the next message' }).click();

  await conversation(page).getByText('one more thing').waitFor();
  await conversation(page).getByText('Heard the second.').waitFor();
  expect(await page.getByText('It had ended before it could read this.').count()).toBe(0);
});

it('says what is told once, and keeps what is written meanwhile', LONG, async () => {
  root = await openDashboard();
  await addAgent(root, 'stuck', [
    { text: [`The first half, ${FILLER}`], hang: true },
    { text: ['Heard it after all.'] },
  ]);
  const page = await root.open('/chat/new');
  const sessionId = await beginChat(page, 'stuck', 'Go on');
  await conversation(page).getByText('The first half,').waitFor();
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/steer', async (route) => {
    await held;
    await route.continue();
  });
  const field = page.getByLabel('Your message');
  await field.fill('one thing');
  await field.press('Control+Enter');
  await field.press('Enter');
  expect(await field.inputValue()).toBe('one thing');
  expect(await page.getByRole('button', { name: 'Stop and send' }).count()).toBe(0);

  await field.fill('and another');
  arrive();
  await conversation(page).getByText('one thing').waitFor();

  expect(await field.inputValue()).toBe('and another');
  const listRuns = async () =>
    (await root?.ask('GET', `/v1/runs?session_id=${sessionId}`)) as { runs: { id: string }[] };
  const { runs } = await listRuns();
  expect(runs).toHaveLength(1);

  // It ends before it reads that.
  await root.ask('POST', `/v1/runs/${runs[0]?.id}/cancel`, {});
  const offer = page.getByRole('button', { name: 'Send it as the next message' });
  await offer.click();
  await conversation(page).getByText('Heard it after all.').waitFor();
  await page.reload();
  await conversation(page).getByText('It ended before it read this.').waitFor();
  expect(await offer.count()).toBe(0);
  expect((await listRuns()).runs).toHaveLength(2);
});
