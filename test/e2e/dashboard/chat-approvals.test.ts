import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAgent, beginChat, conversation, row } from './chat-rig.ts';
import { expectAccessible } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';

const TEXT = 'first\n<script>document.title="taken"</script>\n';

let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard({
    config: { policy: { rules: [{ tool: 'fs.write', decision: 'ask' }] } },
  });
  for (const name of ['one', 'two', 'three']) {
    const input = { path: `${name}.txt`, content: TEXT };
    const call = { text: ['I write it down. '], toolCalls: [{ tool: 'fs.write', input }] };
    await addAgent(root, name, [call, { text: ['It is written.'] }]);
  }
  page = await root.open('/chat');
});

afterAll(() => root?.dispose());

const it = test.skipIf(!BROWSER.available);

it('asks with the difference it would make, and writes the file once that is approved', async () => {
  await beginChat(page, 'one', 'Write it down');
  const question = conversation(page).getByRole('article', { name: /wants to use/ });
  await question.getByRole('button', { name: 'Approve once' }).waitFor();

  const diff = await question.getByRole('region', { name: /one\.txt/ }).textContent();
  const left = await question.locator('time').first().textContent();
  await row(page, 'Write it down').getByRole('img', { name: 'waits for you' }).waitFor();
  await expectAccessible(page);
  await question.getByLabel('A note with your answer').fill('checked');
  await question.getByRole('button', { name: 'Approve once' }).click();
  await conversation(page).getByText('It is written.').waitFor();

  expect(diff).toContain('+first');
  expect(diff).toContain('+<script>document.title="taken"</script>');
  expect(left).toMatch(/^(59 min \d+ s|1 h 0 min) left$/);
  expect(await readFile(join(root.path, 'workspace/one.txt'), 'utf8')).toBe(TEXT);
  expect(await question.count()).toBe(0);
  const { approvals } = (await root.ask('GET', '/api/admin/approvals')) as {
    approvals: readonly { status: string; note: string }[];
  };
  expect(approvals[0]).toMatchObject({ status: 'approved', note: 'checked' });

  const card = conversation(page).getByRole('button', { name: /fs\.write/ });
  expect(await card.textContent()).toMatch(/\d+ m?s$/);
  await card.click();
  await conversation(page)
    .getByRole('region', { name: 'Arguments' })
    .getByText('one.txt')
    .waitFor();
  expect(await page.title()).not.toContain('taken');
});

it('does not ask again about what is allowed for always', async () => {
  await beginChat(page, 'two', 'Once');
  await page.getByRole('button', { name: 'Always allow this' }).click();
  await conversation(page).getByText('It is written.').waitFor();

  await beginChat(page, 'two', 'Twice');
  await conversation(page).getByText('It is written.').waitFor();

  expect(await page.getByRole('button', { name: 'Approve once' }).count()).toBe(0);
});

it('goes on without a call that is denied, from the list of conversations', async () => {
  await beginChat(page, 'three', 'Rather not');
  await page.getByRole('button', { name: 'Deny' }).waitFor();
  await page.getByRole('link', { name: 'New chat' }).click();

  await row(page, 'Rather not').hover();
  await page.getByRole('button', { name: 'Peek into Rather not' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await row(page, 'Rather not').getByRole('img', { name: 'done' }).waitFor();
  await row(page, 'Rather not').click();

  await conversation(page).getByRole('img', { name: 'refused' }).waitFor();
  await expect(readFile(join(root.path, 'workspace/three.txt'))).rejects.toThrow('ENOENT');
});
