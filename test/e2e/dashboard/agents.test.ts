import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgeParcel } from '../../parcels/forge-parcel.ts';
import { conversation, say } from './chat-rig.ts';
import { expectAccessible, expectNoSideScroll } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { goTo, lookAt } from './look-at.ts';

const suite = test.skipIf(!BROWSER.available);
const TIMEOUT_MS = 60_000;
const PATIENCE = { timeout: PATIENCE_MS };
const HOSTILE = '<img src=x onerror=alert(1)>';
let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard();
  page = await root.open('/agents');
}, TIMEOUT_MS);

afterAll(async () => {
  await root?.dispose();
}, TIMEOUT_MS);

interface Agent {
  readonly agent_id: string;
  readonly instructions: string;
  readonly skills: readonly string[];
  readonly memory_access: string;
  readonly status: string;
}

const make = (fields: object) => root.ask('POST', '/api/admin/agents', fields) as Promise<Agent>;
const read = (id: string) => root.ask('GET', `/api/admin/agents/${id}`) as Promise<Agent>;
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

suite(
  'the wizard makes an agent that answers, and keeps what was typed',
  async () => {
    await lookAt(page, '/agents');
    await page.getByRole('link', { name: 'New agent' }).first().click();
    await page.getByText('Researcher', { exact: true }).click();
    await page.getByLabel('Name').fill('Lince');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('checkbox', { name: /^browser/ }).uncheck();
    await page.reload();
    expect(await page.getByRole('checkbox', { name: /^browser/ }).isChecked()).toBe(false);
    expect(await page.getByRole('radio', { name: /^Its own/ }).isChecked()).toBe(true);

    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await heading('Lince').waitFor();

    const made = await read('lince');
    expect(made).toMatchObject({ memory_access: 'private', skills: ['files', 'memory'] });
    expect(made.instructions).toContain('You are Lince, Researcher.');
    await page.getByRole('button', { name: 'Talk to it' }).click();
    await say(page, 'Are you there?');
    await conversation(page).getByText('It is done.').waitFor();

    await lookAt(page, '/agents/lince');
    const runs = page.getByRole('region', { name: 'Latest runs of Lince' });
    await runs.getByRole('link', { name: 'Are you there?' }).waitFor();
    await runs.getByText('completed').waitFor();
  },
  TIMEOUT_MS,
);

suite(
  "an operator's own template is a draft of the wizard, which keeps the role that was typed",
  async () => {
    const folder = join(root.path, 'souls', 'templates');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'gardener.md'), '# Of the garden <b>\n\nYou tend plants.\n');
    await lookAt(page, '/agents/new');
    await page.getByText('Assistant', { exact: true }).click();
    await page.getByLabel('Name').fill('Fern');
    await page.getByLabel('Role').fill('Looks after ferns');
    await page.getByText('Of the garden <b>').click();
    expect(await page.getByLabel('Role').inputValue()).toBe('Looks after ferns');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('gardener (gardener)').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await heading('Fern').waitFor();

    expect((await read('fern')).instructions).toContain('You tend plants.');
  },
  TIMEOUT_MS,
);

suite(
  'a soul is written with its preview, saved, and shown',
  async () => {
    await make({ agent_id: 'poet' });
    await lookAt(page, '/agents/poet/soul');
    await page.getByLabel('Soul of poet').fill(`# Poet\n\nYou rhyme. ${HOSTILE}`);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'Poet' }).waitFor();
    expect(await preview.getByText(HOSTILE).count()).toBe(1);

    await page.getByRole('button', { name: 'Save soul' }).click();
    await page.getByText('The next run is told it.').waitFor();
    await page.reload();

    await preview.getByText('You rhyme.').waitFor();
    expect((await read('poet')).instructions).toBe(`# Poet\n\nYou rhyme. ${HOSTILE}`);
  },
  TIMEOUT_MS,
);

suite(
  'a soul that was changed elsewhere is shown beside what was typed, and neither is lost',
  async () => {
    await make({ agent_id: 'twin', instructions: 'You are one.' });
    await lookAt(page, '/agents/twin/soul');
    await page.getByLabel('Soul of twin').fill('You are mine.');
    await root.ask('PATCH', '/api/admin/agents/twin', { instructions: 'You are theirs.' });
    await page.getByRole('button', { name: 'Save soul' }).click();

    const conflict = page.getByRole('alert', { name: 'It was changed elsewhere' });
    await conflict.getByText('-You are theirs.').waitFor();
    await conflict.getByText('+You are mine.').waitFor();
    expect(await page.getByLabel('Soul of twin').inputValue()).toBe('You are mine.');
    expect((await read('twin')).instructions).toBe('You are theirs.');

    await page.getByRole('button', { name: 'Go on with mine' }).click();
    await page.getByRole('button', { name: 'Save soul' }).click();
    await expect
      .poll(async () => (await read('twin')).instructions, PATIENCE)
      .toBe('You are mine.');
  },
  TIMEOUT_MS,
);

suite(
  'permissions change, and shared memory is asked for first',
  async () => {
    await make({ agent_id: 'clerk', skills: ['files'] });
    await lookAt(page, '/agents/clerk/permissions');
    await page.getByRole('checkbox', { name: /^schedule/ }).check();
    await page.getByRole('checkbox', { name: /^files/ }).uncheck();
    await page.locator('del', { hasText: 'fs.write' }).waitFor();
    await page.getByRole('radio', { name: /^Shared/ }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Share memory with clerk?' }).waitFor();
    expect((await read('clerk')).memory_access).toBe('private');

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('Runs under way see it within a second.').waitFor();

    expect(await read('clerk')).toMatchObject({ skills: ['schedule'], memory_access: 'global' });
  },
  TIMEOUT_MS,
);

suite(
  'an agent is put to sleep, woken, and removed when that was confirmed',
  async () => {
    const { agent_id: id } = await make({ name: 'Dozer', role: 'sleeps' });
    await lookAt(page, '/agents?q=dozer');
    const row = page.getByRole('row', { name: /Dozer/ });
    await row.getByRole('switch', { name: 'Dozer is awake' }).click();
    await row.getByText('sleeping').waitFor();
    expect((await read(id)).status).toBe('sleeping');
    await row.getByRole('switch', { name: 'Dozer is awake' }).click();
    await row.getByText('awake', { exact: true }).waitFor();

    await row.getByRole('link', { name: 'Dozer' }).click();
    await heading('Dozer').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();

    await heading('Agents').waitFor();
    await expect(read(id)).rejects.toThrow('404');
  },
  TIMEOUT_MS,
);

suite(
  'an agent goes out as a file and comes back under another name',
  async () => {
    await make({ name: 'Carrier', instructions: 'You carry.' });
    await lookAt(page, '/agents/carrier');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('carrier.claw');
    const file = join(root.path, 'carrier.claw');
    await download.saveAs(file);

    await lookAt(page, '/agents/import');
    await page.getByLabel('File').setInputFiles(file);
    await page.getByText('signed here').waitFor();
    expect(await page.getByRole('button', { name: 'Import Carrier' }).isEnabled()).toBe(false);
    await page.getByLabel('Another name').fill('Carrier Two');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: 'Import Carrier Two' }).click();

    await heading('Carrier Two').waitFor();
    expect((await read('carrier-two')).instructions).toBe('You carry.');
  },
  TIMEOUT_MS,
);

suite(
  'a file of a stranger brings nothing before its key is trusted',
  async () => {
    await lookAt(page, '/agents/import');
    await page.getByLabel('File').setInputFiles({
      name: 'mole.claw',
      mimeType: 'application/octet-stream',
      buffer: await forgeParcel({ agent: { name: HOSTILE, role: HOSTILE } }),
    });
    await page.getByText('signed by a key that nobody here knows').waitFor();
    const importIt = page.getByRole('button', { name: `Import ${HOSTILE}` });
    expect(await importIt.isEnabled()).toBe(false);
    await expectAccessible(page);

    await page.getByRole('checkbox', { name: /^Trust this key/ }).check();
    await page.getByText('signed by a key that you trust this once').waitFor();
    await importIt.click();

    await heading(HOSTILE).waitFor();
    await lookAt(page, '/agents');
    await page.getByRole('link', { name: HOSTILE }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  },
  TIMEOUT_MS,
);

suite(
  'a file that is no agent is refused in words',
  async () => {
    await lookAt(page, '/agents/import');
    await page.getByLabel('File').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('not an agent'),
    });

    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  },
  TIMEOUT_MS,
);

const PLACES = [
  '/agents/new',
  '/agents/new/may',
  '/agents/agent_default/soul',
  '/agents/agent_default/permissions',
];

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
