import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat, conversation, PATIENT, row } from './chat-rig.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';

const HOSTILE = '"><svg onload=document.title="taken">';
const EXCHANGES = 100;

let root: DashboardRoot;
let page: Page;

beforeAll(async () => {
  if (!BROWSER.available) return;
  root = await openDashboard({
    steps: Array.from({ length: 12 }, (_, at) => ({
      text: [`Answer ${at}. ${'It goes on and on. '.repeat(30)}`],
    })),
  });
  page = await root.open('/chat');
});

afterAll(() => root?.dispose());

const it = test.skipIf(!BROWSER.available);

/** A conversation that was held elsewhere. */
async function tell(room: string, exchanges: number): Promise<string> {
  const messages = Array.from({ length: exchanges }, (_, at) => [
    { role: 'user', content: `Question ${at} of ${room}` },
    { role: 'assistant', content: `Reply ${at}: ${'so it is said. '.repeat(20)}` },
  ]).flat();
  const place = { agent_id: 'agent_default', channel: 'elsewhere', user_id: 'ada', room_id: room };
  const { session_id: id } = (await root.ask('POST', '/api/admin/chat/sessions', {
    ...place,
    messages,
  })) as { session_id: string };
  return id;
}

/** A conversation that was held here. */
async function talk(exchanges: number): Promise<string> {
  const place = { channel: 'dashboard', user_id: 'operator', room_id: 'talk' };
  const { session_id: id } = (await root.ask('POST', '/api/admin/chat/sessions', {
    ...place,
    agent_id: 'agent_default',
  })) as { session_id: string };
  for (let at = 1; at <= exchanges; at += 1) {
    const message = `Request number ${at} of ${exchanges}`;
    const run = { agent_id: 'agent_default', session_id: id, message };
    await root.ask('POST', '/v1/runs', run);
    await expect.poll(() => stateOf(id), PATIENT).toBe('done');
  }
  return id;
}

async function stateOf(id: string): Promise<string> {
  const path = `/api/admin/chat/sessions/${id}`;
  return ((await root.ask('GET', path)) as { state: string }).state;
}

it('gives a conversation another name, which is shown as it was typed', async () => {
  await beginChat(page, 'agent_default', 'Nameless');
  await conversation(page)
    .getByText(/^Answer 0\./)
    .waitFor();

  await page.getByRole('button', { name: 'More about Nameless' }).last().click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await row(page, HOSTILE).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: HOSTILE }).waitFor();

  expect(await page.title()).toBe(`${HOSTILE} · Pincer`);
});

it('finds what was said, and leads to where', async () => {
  const id = await talk(12);
  await page.goto(`${root.url}/dashboard/chat`);

  await page.getByLabel('Search chats').fill('request number 3 of');
  await page.getByRole('link', { name: /request number 3 of/i }).click();
  await page.waitForURL(new RegExp(`${id}\\?at=3`));
  await conversation(page).getByText('Request number 3 of 12').waitFor();

  await expect.poll(() => isInView('Request number 3 of 12', page), PATIENT).toBe(true);
  await page.getByLabel('Search chats').fill('nobody ever said this');
  await page.getByText('No chat says that').waitFor();
  await page.getByLabel('Search chats').fill('');
});

/** The exchange at the upper edge, and how far above it begins. */
async function readPlace(): Promise<string | undefined> {
  return (await page.evaluate(`(() => {
    const box = document.querySelector('[aria-label="Conversation"]');
    const top = box?.getBoundingClientRect().top;
    const first = [...(box?.querySelectorAll('[data-exchange]') ?? [])]
      .find((one) => one.getBoundingClientRect().bottom > top);
    return first && first.dataset.exchange + ' ' + Math.round(first.getBoundingClientRect().top - top);
  })()`)) as string | undefined;
}

/** Browsers scroll by whole pixels, and lay out by parts of them. */
const ROUNDING_PX = 3;

async function isAt(place: string): Promise<boolean> {
  const [exchange, offset] = place.split(' ');
  const [foundExchange, foundOffset] = ((await readPlace()) ?? '').split(' ');
  const isNear = Math.abs(Number(foundOffset) - Number(offset)) <= ROUNDING_PX;
  return foundExchange === exchange && isNear;
}

/** Once the wheel has come to rest, and the place is kept. */
async function restingPlace(): Promise<string> {
  let last = '';
  await expect
    .poll(async () => {
      const before = last;
      last = (await readPlace()) ?? '';
      const kept = String(await page.evaluate('localStorage["pincer.chat.places"]'));
      return last === before && kept.includes(`"${last.split(' ')[0]}"`);
    }, PATIENT)
    .toBe(true);
  return last;
}

it('keeps the place where somebody reads, in each conversation', async () => {
  const long = await tell('tower', EXCHANGES);
  await page.goto(`${root.url}/dashboard/chat/${long}`);
  await conversation(page)
    .getByText(`Question ${EXCHANGES - 1} of tower`)
    .waitFor();
  await expect.poll(() => isInView(`Reply ${EXCHANGES - 1}:`, page), PATIENT).toBe(true);

  await conversation(page).hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -2_000);
      return conversation(page).getByText('Question 20 of tower').count();
    }, PATIENT)
    .toBe(1);
  const place = await restingPlace();
  await page.getByRole('link', { name: 'New chat' }).click();
  await page.getByLabel('Your message').waitFor();
  await row(page, 'Question 0 of tower').click();

  await expect.poll(() => isAt(place), PATIENT).toBe(true);
  await page.reload();
  await expect.poll(() => isAt(place), PATIENT).toBe(true);
  await page.getByRole('button', { name: 'To the newest' }).click();
  await expect.poll(() => isInView(`Reply ${EXCHANGES - 1}:`, page), PATIENT).toBe(true);
});

it('answers a conversation without leaving the one that is open', async () => {
  await beginChat(page, 'agent_default', 'The open one');
  await conversation(page)
    .getByText(/^Answer 0\./)
    .waitFor();
  await beginChat(page, 'agent_default', 'The other one');
  await conversation(page)
    .getByText(/^Answer 0\./)
    .waitFor();
  await row(page, 'The open one').click();

  await row(page, 'The other one').hover();
  await page.getByRole('button', { name: 'Peek into The other one' }).click();
  const peek = page.getByRole('region', { name: 'The end of The other one' });
  await peek.getByText(/Answer 0\./).waitFor();
  await peek.getByLabel('Reply to The other one').fill('And this?');
  await peek.getByLabel('Reply to The other one').press('Enter');
  await peek.getByText(/Answer 1\./).waitFor();

  expect(
    await conversation(page)
      .getByText(/^Answer 1\./)
      .count(),
  ).toBe(0);
});

async function isInView(text: string, on: Page) {
  const box = await conversation(on).getByText(text).first().boundingBox();
  const frame = await conversation(on).boundingBox();
  if (box === null || frame === null) return false;
  return box.y >= frame.y - 1 && box.y < frame.y + frame.height;
}
