import type { Page } from 'playwright-core';

interface Eyes {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
}

/** Another page in the same browser: signing in again takes longer than most of what is tried. */
export async function lookAt(
  page: Page,
  path: string,
  { theme = 'light', width = 1280 }: Eyes = {},
): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${new URL(page.url()).origin}/dashboard${path}`);
}
