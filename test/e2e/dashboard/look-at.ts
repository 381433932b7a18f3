import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PATIENCE_MS } from './dashboard-root.ts';

interface Eyes {
  readonly width?: number;
}

/** Another page of the same browser, as by a link: neither signing in nor loading everything again is what is tried. */
export async function lookAt(page: Page, path: string, { width = 1280 }: Eyes = {}): Promise<void> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 });
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/dashboard${path}`)})`);
}

/** Resolves when all that belongs there is shown. */
export async function goTo(page: Page, path: string, eyes: Eyes = {}): Promise<void> {
  await lookAt(page, path, eyes);
  await settled(page);
}

/** The page has its heading, and nothing on it is still to come. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1, main h2').first().waitFor();
  const waiting = page.getByRole('status', { name: 'Loading' });
  await expect.poll(() => waiting.count(), { timeout: PATIENCE_MS }).toBe(0);
}
