import { afterEach, expect, test } from 'vitest';
import { addAgent, beginChat, conversation, row, say, writeSteps } from './chat-rig.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';

/** The end of a text that may still become a secret is held back. */
const FILLER = 'And more of it. '.repeat(40);

const it = test.skipIf(!BROWSER.available);

let root: DashboardRoot | undefined;

afterEach(async () => {
  await root?.dispose();
  root = undefined;
});

/** Each starts a server twice. */
const LONG = { timeout: 180_000 };

it('goes on with an answer after kill -9 in the middle of it, whole and once', LONG, async () => {
  root = await openDashboard();
  await addAgent(root, 'stuck', [{ text: [`The first half, ${FILLER}`], hang: true }]);
  const page = await root.open('/chat/new');
  await beginChat(page, 'stuck', 'Tell me all of it');
  await conversation(page).getByText('The first half,').waitFor();
  await page.getByLabel('Your message').fill('typed meanwhile');

  await writeSteps(root, 'stuck', [
    { text: [`The first half, ${FILLER}`, 'Then the second.'], deltaDelayMs: 20 },
  ]);
  await root.restart();
  await conversation(page).getByText('Then the second.').waitFor();
  await conversation(page).getByRole('link', { name: 'Run' }).waitFor();

  const live = await conversation(page).getByRole('article').textContent();
  expect(count(live, 'The first half,')).toBe(1);
  expect(count(live, 'Tell me all of it')).toBe(1);
  expect(live).not.toContain('began this part again');
  expect(await page.getByLabel('Your message').inputValue()).toBe('typed meanwhile');
  await page.reload();
  await conversation(page).getByText('Then the second.').waitFor();
  expect(await conversation(page).getByRole('article').count()).toBe(1);
  expect(await page.getByLabel('Your message').inputValue()).toBe('typed meanwhile');
});

it(
  'keeps a message that the server did not get, and sends it once when it is back',
  LONG,
  async () => {
    root = await openDashboard({ steps: [{ text: ['Heard.'] }, { text: ['Heard again.'] }] });
    const page = await root.open('/chat/new');
    await beginChat(page, 'agent_default', 'Are you there?');
    await conversation(page).getByText('Heard.', { exact: true }).waitFor();

    await root.server.kill();
    await say(page, 'And now?');
    await conversation(page)
      .getByText(/Not sent yet/)
      .waitFor();
    await root.restart();
    await conversation(page).getByText('Heard again.').waitFor();

    expect(await conversation(page).getByText('And now?').count()).toBe(1);
    expect(await page.evaluate('localStorage["pincer.outbox"]')).toBeUndefined();
    await row(page, 'Are you there?').getByRole('img', { name: 'done' }).waitFor();
    const { runs } = (await root.ask('GET', '/v1/runs')) as { runs: readonly unknown[] };
    expect(runs).toHaveLength(2);
  },
);

function count(text: string | null, part: string): number {
  return (text ?? '').split(part).length - 1;
}
