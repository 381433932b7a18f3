import { chromium } from 'playwright-core';
import { findOnPath, installPackage, isRoot } from './system-packages.ts';

/** Without windows: drawing those that nobody sees took a third of what the tests in browsers cost. */
const SHELL = 'chromium-headless-shell';
const BROWSERS = [SHELL, 'chromium', 'chromium-browser', 'google-chrome'];

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
  const shell = findOnPath(SHELL);
  if (shell !== undefined) return shell;
  // A page without any font has no text to measure.
  if (findAny() === undefined) await installPackage('fonts-dejavu-core');
  const problem = await installPackage(SHELL);
  const installed = findAny();
  if (installed === undefined) throw new Error(problem ?? `${SHELL} is not on the PATH`);
  return installed;
}

function findAny(): string | undefined {
  return BROWSERS.map(findOnPath).find((path) => path !== undefined);
}
