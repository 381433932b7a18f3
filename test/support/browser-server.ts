import { chromium } from 'playwright-core';
import { findOnPath, installPackage, isRoot } from './system-packages.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** One browser for all tests; each has its own cookies and storage in it. */
export async function startBrowserServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await chromium.launchServer({
    executablePath: await findChromium(),
    // Its own sandbox refuses to work for root; what it opens here is ours.
    args: isRoot() ? ['--no-sandbox'] : [],
  });
  return { url: server.wsEndpoint(), stop: () => server.close() };
}

async function findChromium(): Promise<string> {
  const found = findAny();
  if (found !== undefined) return found;
  // A page without any font has no text to measure.
  await installPackage('fonts-dejavu-core');
  const problem = await installPackage('chromium');
  const installed = findAny();
  if (installed === undefined) throw new Error(problem ?? 'chromium is not on the PATH');
  return installed;
}

function findAny(): string | undefined {
  return NAMES.map(findOnPath).find((path) => path !== undefined);
}
