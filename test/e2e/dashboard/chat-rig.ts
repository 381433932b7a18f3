import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import { type DashboardRoot, PATIENCE_MS } from './dashboard-root.ts';

/** Of `expect.poll`. */
export const PATIENT = { timeout: PATIENCE_MS };

type Steps = ScriptInput['steps'];

/** An agent that says what its own script has. */
export async function addAgent(root: DashboardRoot, id: string, steps: Steps): Promise<void> {
  await writeSteps(root, id, steps);
  const model = `scripted/${id}.json`;
  await root.ask('POST', '/api/admin/agents', { agent_id: id, name: id, model });
}

export async function writeSteps(root: DashboardRoot, id: string, steps: Steps): Promise<void> {
  await writeFile(join(root.path, `${id}.json`), JSON.stringify({ steps }));
}

/** Begins a conversation with that agent. Resolves at its address. */
export async function beginChat(page: Page, agent: string, text: string): Promise<string> {
  await page.getByRole('link', { name: 'New chat' }).click();
  await page.getByLabel('Agent', { exact: true }).selectOption(agent);
  await say(page, text);
  await page.waitForURL(/\/chat\/session_/);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text);
  await page.getByLabel('Your message').press('Enter');
}

export function conversation(page: Page): Locator {
  return page.getByRole('region', { name: 'Conversation' });
}

/** The row of one conversation in the list of all. */
export function row(page: Page, title: string): Locator {
  return page.getByRole('complementary', { name: 'Chats' }).getByRole('link', { name: title });
}
