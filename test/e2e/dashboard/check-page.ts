import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No finding of axe that keeps somebody from using the page. */
export async function expectAccessible(page: Page): Promise<void> {
  // Runs in the page's own world, which its policy does not allow to be extended otherwise.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults;
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    serious.map(({ id, nodes }) => [
      id,
      nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    ]),
  ).toEqual([]);
}

/** Nothing reaches out of the window: what is wide scrolls in its own box. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  const [needed, given] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number];
  expect(needed).toBeLessThanOrEqual(given);
}
