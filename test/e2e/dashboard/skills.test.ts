import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignedClient, SECRET } from '../../contract/internal/signed-client.ts';
import { expectAccessible, expectNoSideScroll } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';
import { goTo, lookAt } from './look-at.ts';

const suite = test.skipIf(!BROWSER.available);
const TIMEOUT_MS = 60_000;
const HOSTILE = '<script>alert(1)</script>';
let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard({ env: { RUNTIME_SIGNATURE_SECRET: SECRET } });
  for (const version of [1, 2]) await submitSkill('release-notes', version);
  for (const id of ['codexw_seen', 'codexw_stopped']) await attachWorker(id);
  page = await root.open('/skills');
}, TIMEOUT_MS);

afterAll(async () => {
  await root?.dispose();
}, TIMEOUT_MS);

/** As the back end of a product does it, for its user 42. */
async function post(path: string, body: unknown): Promise<void> {
  const { status, text } = await createSignedClient(Number(new URL(root.url).port)).post(
    path,
    body,
  );
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
}

function submitSkill(id: string, version: number): Promise<void> {
  return post('/skills/skill-specs', {
    state: 'validated',
    skill_spec: {
      skill_id: id,
      version,
      name: 'Release notes',
      description: `Writes notes ${HOSTILE}`,
      instructions_markdown: `# Notes\n\nRead the log. ${HOSTILE}`,
      references: [{ path: 'style.md', content: `Short sentences. ${HOSTILE}` }],
      compatibility: { runtime: 'pincer' },
      commercial: { pricing_model: 'free', currency: 'BTC_SATS' },
    },
  });
}

function attachWorker(id: string): Promise<void> {
  return post('/codex/workers', {
    worker_id: id,
    adapter: 'in_memory',
    workspace_ref: HOSTILE,
  });
}

const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

suite(
  'a skill is read, released for good, and withdrawn',
  async () => {
    await lookAt(page, '/skills?q=notes');
    const table = page.getByRole('region', { name: 'Skills' });
    await expect.poll(() => table.getByRole('row').count()).toBe(3);
    await table.getByRole('link', { name: 'release-notes' }).first().click();
    await heading('release-notes, version 2').waitFor();
    await page.getByText(`Read the log. ${HOSTILE}`, { exact: true }).waitFor();
    await page.getByText('Not released: agents do not read it yet.').waitFor();

    await page.getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByText('signature holds').waitFor();
    await page.getByText('Runs that are made for user:42, and no others.').waitFor();
    await page.locator('summary', { hasText: 'references/style.md' }).click();
    await page.getByText(`Short sentences. ${HOSTILE}`, { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('deprecated', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(0);
  },
  TIMEOUT_MS,
);

suite(
  'a worker is found by its state, and stopped when that was confirmed',
  async () => {
    await lookAt(page, '/skills/workers');
    await page.getByRole('link', { name: 'codexw_seen' }).waitFor();
    await page.getByRole('link', { name: 'codexw_stopped' }).click();
    await heading('codexw_stopped').waitFor();
    await page.getByText(HOSTILE, { exact: true }).waitFor();
    await page.getByText('user:42', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('It is stopped.').waitFor();
    await page.getByRole('link', { name: 'All workers' }).click();
    await page.getByLabel('Which workers').selectOption('stopped');

    await page.getByRole('link', { name: 'codexw_seen' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'codexw_stopped' }).waitFor();
    expect(page.url()).toContain('status=stopped');
  },
  TIMEOUT_MS,
);

const PLACES = ['/skills/of/release-notes/1', '/skills/workers', '/skills/workers/codexw_seen'];

suite(
  'everybody can use it, on a phone too',
  async () => {
    for (const place of PLACES) {
      await goTo(page, place, { width: 360 });
      await expectAccessible(page);
      await expectNoSideScroll(page);
    }
  },
  TIMEOUT_MS,
);
