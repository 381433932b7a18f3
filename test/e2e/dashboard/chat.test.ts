import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAgent, beginChat, conversation, PATIENT, row, say } from './chat-rig.ts';
import { expectAccessible, expectNoSideScroll } from './check-page.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';

const HOSTILE =
  '<img src=x onerror="document.title=`taken`"><script>document.title="taken"</script>';
const ANSWER = [
  '## Written\n\nThe file is **there**.\n\n',
  '```ts\nexport const answer = 42;\n```\n\n',
  `- one\n- [two](javascript:alert(1))\n\n${HOSTILE}`,
];
/** The end of a text that may still become a secret is held back. */
const FILLER = 'And more of it. '.repeat(40);
const WORDS = Array.from({ length: 40 }, (_, at) => `word${at} `);

let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard({
    steps: [
      { text: ANSWER, usage: { inputTokens: 1_200, outputTokens: 34 } },
      { text: ['The second answer.'] },
      { text: ['The third answer.'] },
    ],
  });
  await addAgent(root, 'slow', [
    { text: WORDS, deltaDelayMs: 60 },
    { text: 'After it.' },
    { text: 'And after that.' },
  ]);
  await addAgent(root, 'stuck', [
    { text: [`So far. ${FILLER}`], hang: true },
    { text: 'Instead of it.' },
  ]);
  const broken = { error: { status: 400, message: HOSTILE } };
  await addAgent(root, 'broken', [broken, broken]);
  page = await root.open('/chat');
});

afterAll(() => root?.dispose());

const it = test.skipIf(!BROWSER.available);

it('answers a first message as it is written, with Markdown, code and what it cost', async () => {
  await page.getByLabel('Your message').fill(`Please ${HOSTILE}`);
  await page.getByLabel('Your message').press('Enter');
  await page.waitForURL(/\/chat\/session_/);
  const said = conversation(page);
  await said.getByRole('heading', { name: 'Written' }).waitFor();
  await said.getByText('1,234 tokens').waitFor();

  expect(await said.locator('pre .hljs-keyword').first().textContent()).toBe('export');
  expect(await said.locator('strong').textContent()).toBe('there');
  expect(await said.getByText(HOSTILE).count()).toBe(2);
  expect(await page.locator('a[href^="javascript"], main img, main script').count()).toBe(0);
  expect(await page.title()).toContain('Please');
  await row(page, 'Please').getByRole('img', { name: 'done' }).waitFor();
  await said.getByRole('link', { name: 'Run' }).click();
  await page.waitForURL(/\/runs\/run_/);
  await page.goBack();
});

it('goes on with other conversations while one is read, and shows each whole and once', async () => {
  await beginChat(page, 'stuck', 'Wait here');
  await conversation(page).getByText('So far.').waitFor();
  await beginChat(page, 'slow', 'Count there');
  await conversation(page).getByText('word1').waitFor();
  await row(page, 'Wait here').getByRole('img', { name: 'working' }).waitFor();
  await row(page, 'Wait here').click();
  await conversation(page).getByText('So far.').waitFor();
  const here = await conversation(page).getByRole('article').textContent();
  await row(page, 'Count there').click();
  await conversation(page).getByText('word39').waitFor();
  await conversation(page).getByRole('link', { name: 'Run' }).waitFor();
  const there = await conversation(page).getByRole('article').textContent();
  await row(page, 'Wait here').getByRole('img', { name: 'working' }).waitFor();

  expect(there).toContain(WORDS.join('').trim());
  expect([count(here, 'So far.'), count(there, 'word0 ')]).toEqual([1, 1]);
});

it('stops an answer, and takes what is sent meanwhile in its turn', async () => {
  await beginChat(page, 'stuck', 'Hang on');
  await conversation(page).getByText('So far.').waitFor();

  await say(page, 'Then this');
  await conversation(page)
    .getByText(/^Queued/)
    .waitFor();
  await page.getByRole('button', { name: 'Stop the answer' }).click();
  await conversation(page).getByText('Stopped before it was done.').waitFor();
  await conversation(page).getByText('Instead of it.').waitFor();

  expect(await conversation(page).getByText('So far.').count()).toBe(1);
  await page.getByRole('button', { name: 'Send' }).waitFor();
});

it('edits a message in a fork, and leaves the conversation as it was', async () => {
  const first = await beginChat(page, 'agent_default', 'The first wording');
  await conversation(page).getByText('1,234 tokens').waitFor();

  await conversation(page).getByText('The first wording').hover();
  await page.getByRole('button', { name: /^Edit/ }).click();
  await page.getByLabel('The message in other words').fill('Another wording');
  await page.getByRole('button', { name: 'Send in a fork' }).click();
  await expect.poll(() => page.url(), PATIENT).not.toContain(first);
  await conversation(page).getByText('1,234 tokens').waitFor();

  expect(await conversation(page).getByText('Another wording').count()).toBe(1);
  expect(await conversation(page).getByText('The first wording').count()).toBe(0);
  await page.getByRole('link', { name: 'fork of another' }).click();
  await conversation(page).getByText('The first wording').waitFor();
});

it('says why an answer failed, as text, and tries again', async () => {
  await beginChat(page, 'broken', 'Fail');

  await conversation(page).getByText(HOSTILE).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();

  await expect.poll(() => conversation(page).getByText(HOSTILE).count(), PATIENT).toBe(2);
  expect(await page.title()).toContain('Fail');
});

it('keeps what is being written, in each conversation, over a reload', async () => {
  const first = await beginChat(page, 'agent_default', 'Where drafts live');
  await page.getByLabel('Your message').fill('half a thought');

  await page.getByRole('link', { name: 'New chat' }).click();
  await page.getByLabel('Your message').fill('another one');
  await page.reload();
  const kept = await page.getByLabel('Your message').inputValue();
  await page.goto(`${root.url}/dashboard/chat/${first}`);

  expect(kept).toBe('another one');
  expect(await page.getByLabel('Your message').inputValue()).toBe('half a thought');
});

it('is used with the keyboard alone', async () => {
  await page.goto(`${root.url}/dashboard/chat`);
  await page.getByLabel('Your message').waitFor();

  await page.keyboard.type('Typed\n');
  await page.waitForURL(/\/chat\/session_/);
  await conversation(page).getByText('1,234 tokens').waitFor();
  await page.locator('main').focus();
  await page.keyboard.press('n');
  await page.waitForURL(/\/chat\/new/);
  await page.locator('main').focus();
  await page.keyboard.press('/');

  const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")');
  expect(focused).toBe('Search chats');
});

it('fits a phone: the list, then one conversation with its composer in reach', async () => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${root.url}/dashboard/chat`);

  const id = await beginChat(page, 'agent_default', 'On the way');
  await conversation(page).getByText('1,234 tokens').waitFor();
  const composer = await page.getByLabel('Your message').boundingBox();
  await expectNoSideScroll(page);
  await page.getByRole('link', { name: 'All chats' }).click();
  await row(page, 'On the way').waitFor();
  await expectNoSideScroll(page);
  await row(page, 'On the way').click();
  await page.waitForURL(new RegExp(id));
  await page.setViewportSize({ width: 1280, height: 800 });

  expect((composer?.y ?? 0) + (composer?.height ?? 0)).toBeLessThan(640);
});

it('has nothing that keeps people out, in either theme', async () => {
  await beginChat(page, 'agent_default', 'Look at it');
  await conversation(page).getByText('1,234 tokens').waitFor();

  await expectAccessible(page);
});

function count(text: string | null, part: string): number {
  return (text ?? '').split(part).length - 1;
}
