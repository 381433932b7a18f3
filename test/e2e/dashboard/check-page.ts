import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No finding of axe that keeps somebody from using the page, in either theme: all but contrast is the same in both. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findSerious(page, {})).toEqual([]);
  await show(page, 'dark');
  expect(await findSerious(page, { runOnly: ['color-contrast'] })).toEqual([]);
  await show(page, 'light');
}

/** Colours on their way from one theme to the other belong to neither, and each step of theirs styles the page anew. */
const STILL = `if (!window.still) {
  window.still = new CSSStyleSheet();
  window.still.replaceSync('*, *::before, *::after { transition: none !important }');
  document.adoptedStyleSheets.push(window.still);
}`;

async function show(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(STILL);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
}

/** What is in order is not reported, and styles are not fetched again for a rule that none of them could break. */
const BRIEF = { resultTypes: ['violations'], preload: false, iframes: false } as const;

async function findSerious(page: Page, options: RunOptions): Promise<unknown[]> {
  // Runs in the page's own world, which its policy does not allow to be extended otherwise.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const { violations } = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ ...BRIEF, ...options })})`,
  )) as AxeResults;
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => [
    id,
    nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  ]);
}

/** Nothing reaches out of the window: what is wide scrolls in its own box. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  const [needed, given] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number];
  expect(needed).toBeLessThanOrEqual(given);
}
