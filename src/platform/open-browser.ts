import { spawn } from 'node:child_process';

/** A program that hands the address on ends at once; one that is the browser itself stays, and has opened it. */
const SETTLE_MS = 2_000;

const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  // Not `start`: a shell would read the address first.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Shows the address in the browser of whoever is logged in. False when this machine has none to show it in. */
export function openBrowser(url: string): Promise<boolean> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
    const timer = setTimeout(() => settle(true), SETTLE_MS);
    const settle = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
    child.unref();
  });
}
