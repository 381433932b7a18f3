import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { BUSY_STEPS, createRun, endedRun, reachStatus, writeScript } from './runs-root.ts';

const suite = test.skipIf(!BROWSER.available);
/** Long enough to be told before it is whole. */
const HALF = 'Half a thought '.repeat(100);
let root: DashboardRoot;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard({
    steps: BUSY_STEPS,
    config: { policy: { rules: [{ tool: 'fs.write', decision: 'ask' }] } },
  });
});

afterAll(async () => {
  await root?.dispose();
});

const bars = (page: Page) => page.getByRole('region', { name: 'Turns and calls' });
const details = (page: Page, name: string) =>
  page.getByRole('region', { name: `Details of ${name}` });

suite('grows in front of the reader, and ends there when it is cancelled', async () => {
  const model = await writeScript(root, 'endless', [
    { toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] },
    { text: Array.from({ length: 5_000 }, (_, at) => `word${at} `), deltaDelayMs: 100 },
  ]);
  const page = await root.open(`/runs/${await createRun(root, { message: 'Slowly', model })}`);

  await bars(page)
    .getByRole('button', { name: /Turn 2/ })
    .click();
  const said = details(page, 'Turn 2').getByText(/word0/);
  await details(page, 'Turn 2').getByText('under way').waitFor();
  const early = (await said.innerText()).length;
  await expect
    .poll(async () => (await said.innerText()).length, { timeout: PATIENCE_MS })
    .toBeGreaterThan(early);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByLabel('Why').fill('not <b>needed</b>');
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByText('It was cancelled.').waitFor();
  await details(page, 'Turn 2').getByText('interrupted', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByText('not <b>needed</b>').waitFor();
});

suite('shows a crash as a gap, tells that it lost the server, and shows nothing twice', async () => {
  const look = { toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] };
  // It can't get further before the crash, and ends after it.
  const model = await writeScript(root, 'crashing', [look, { text: HALF, hang: true }]);
  const id = await createRun(root, { message: 'Survive', model });
  const page = await root.open(`/runs/${id}`);
  await details(page, 'Turn 2')
    .getByText(/Half a thought/)
    .waitFor();

  await root.server.kill();
  await page.getByText('The connection is lost: the run may have gone further').waitFor();
  await writeScript(root, 'crashing', [look, { text: 'A whole answer' }]);
  await root.restart();
  await page.getByRole('main').getByText('completed', { exact: true }).waitFor();

  expect(
    await bars(page)
      .getByRole('button', { name: /Turn 2/ })
      .count(),
  ).toBe(1);
  await bars(page)
    // A server that is slow to begin may be taken for gone once more.
    .getByRole('button', { name: /[2-9] attempts/ })
    .waitFor();
  await details(page, 'Turn 2')
    .getByText(/interrupted after/)
    .first()
    .waitFor();
  await details(page, 'Turn 2').getByText('A whole answer', { exact: true }).waitFor();
  expect(
    await details(page, 'Turn 2')
      .getByText(/Half a thought/)
      .count(),
  ).toBe(0);
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByText('Taken up again').first().waitFor();
});

suite('waits for a person in sight, and goes on when the call is approved here', async () => {
  const model = await writeScript(root, 'writing', [
    { toolCalls: [{ tool: 'fs.write', input: { path: 'note.txt', content: 'x' } }] },
    { text: 'Written.' },
  ]);
  const id = await createRun(root, { message: 'Write', model });
  await reachStatus(root, id, 'waiting');
  const page = await root.open(`/runs/${id}`);

  await details(page, 'fs.write').getByText('waiting', { exact: true }).waitFor();
  await details(page, 'fs.write').getByLabel('A note with your answer').fill('looks fine');
  await details(page, 'fs.write').getByRole('button', { name: 'Approve once' }).click();
  await page.getByRole('main').getByText('completed', { exact: true }).waitFor();
  await bars(page)
    .getByRole('button', { name: /fs\.write/ })
    .click();
  await details(page, 'fs.write')
    .getByText(/approved by operator/)
    .waitFor();
  await details(page, 'fs.write').getByText('“looks fine”').waitFor();
});

suite('replays a run, forks it with another message, and compares the two', async () => {
  const id = await endedRun(root, { message: 'Tell me' });
  const page = await root.open(`/runs/${id}`);

  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('The same came of it').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Fork' }).click();
  await page.getByLabel('Go on from').selectOption({ label: 'The beginning (event 1)' });
  await page.getByLabel('Message').fill('Tell me something else');
  await page.getByRole('dialog').getByRole('button', { name: 'Fork' }).click();
  await page.getByRole('heading', { name: 'Tell me something else' }).waitFor();
  await page.getByRole('link', { name: `${id}, event 1` }).waitFor();
  await page.getByRole('main').getByText('completed', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Compare' }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Tell me/ })
    .first()
    .click();
  await page.getByText(/One is a fork of the other: up to event 1/).waitFor();
  const both = page.getByRole('region', { name: 'Both runs' });
  await both.getByText('Tell me something else').waitFor();
  await expect.poll(() => both.getByRole('link').count(), { timeout: PATIENCE_MS }).toBe(2);
});
