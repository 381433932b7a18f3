import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import { findBrowser } from '../../support/browser.ts';
import {
  type BuiltServer,
  killBuiltServers,
  startBuiltServer,
} from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { type RequestOptions, request } from '../torture/http-request.ts';
import { TOKEN } from '../torture/workload-script.ts';

export const BROWSER = await findBrowser();

/** For a page that waits for a model, on a machine that does other things too. */
export const PATIENCE_MS = 20_000;

export interface DashboardOptions {
  /** What the model says, answer by answer. */
  readonly steps?: ScriptInput['steps'];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A real server with its pages, and a browser in front of it. */
export interface DashboardRoot {
  readonly path: string;
  readonly url: string;
  readonly server: BuiltServer;
  /** As an operator with the token. */
  ask(method: Method, path: string, body?: unknown): Promise<unknown>;
  /** A signed-in browser at that page, `/runs` for example. */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** A browser that is not signed in, and nowhere yet. */
  openBlank(): Promise<Page>;
  /** Another tab of the same browser. */
  openTab(page: Page, path: string): Promise<Page>;
  /** SIGKILL, and a start on the same port and state. */
  restart(): Promise<void>;
  /** Fails the test when a page broke, or wanted what its policy refuses. */
  dispose(): Promise<void>;
}

type Method = NonNullable<RequestOptions['method']>;

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** Where it is, by its clock: `America/Los_Angeles`. */
  readonly timezone?: string;
  /** Where the browser finds the server, when something stands between them. */
  readonly by?: string;
  /** What its clock is ahead of ours. Tests can set it forward; time passes as it does otherwise. */
  readonly clockAheadMs?: number;
}

export async function openDashboard(options: DashboardOptions = {}): Promise<DashboardRoot> {
  if (!BROWSER.available) throw new Error(BROWSER.reason);
  const root = await openTempRoot();
  await writeState(root.path, options);
  const browser = await chromium.connect(BROWSER.url);
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  let server = await start(root.path, options.env);
  const url = (await server.ready) ?? '';

  return {
    path: root.path,
    url,
    get server() {
      return server;
    },
    ask: (method, path, body) => ask(url, { method, path, body }),

    async open(path = '/', { by = url, clockAheadMs, ...eyes } = {}) {
      const context = await openContext(browser, eyes);
      contexts.push(context);
      const { code } = (await ask(url, {
        method: 'POST',
        path: '/api/admin/sign-ins/codes',
        body: undefined,
      })) as { code: string };
      const page = await newPage(context, faults);
      if (clockAheadMs !== undefined) {
        await page.clock.install({ time: Date.now() + clockAheadMs });
      }
      // At once where it is wanted: the code is taken wherever the pages are entered.
      await page.goto(`${by}/dashboard${path}#code=${code}`);
      await page.locator('#nav').waitFor({ state: 'attached' });
      return page;
    },

    async openBlank() {
      const context = await openContext(browser, {});
      contexts.push(context);
      return newPage(context, faults);
    },

    async openTab(page, path) {
      const tab = await newPage(page.context(), faults);
      await tab.goto(`${url}/dashboard${path}`);
      return tab;
    },

    async restart() {
      await server.kill();
      server = await start(root.path, options.env, Number(new URL(url).port));
      expect(await server.ready).toBe(url);
    },

    async dispose() {
      for (const context of contexts) await context.close();
      await browser.close();
      await killBuiltServers();
      await root.remove();
      expect(faults).toEqual([]);
    },
  };
}

async function writeState(root: string, { steps, config }: DashboardOptions): Promise<void> {
  const stateDir = join(root, '.openclawssy');
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const whole = { ...config, engine: { delta_batch_ms: 5, lease_ms: 1_000 } };
  await writeFile(join(stateDir, 'config.json'), JSON.stringify(whole), { mode: 0o600 });
  const answers = steps ?? [{ text: ['It is ', 'done.'] }];
  await writeFile(join(root, 'script.json'), JSON.stringify({ steps: answers }));
}

async function start(
  root: string,
  env: Readonly<Record<string, string>> = {},
  port = 0,
): Promise<BuiltServer> {
  const server = startBuiltServer({
    root,
    port,
    env: {
      API_BEARER_TOKEN: TOKEN,
      CLAW_ALLOW_SCRIPTED_MODEL: '1',
      CLAW_MODEL: 'scripted/script.json',
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  if ((await server.ready) === undefined) {
    throw new Error(`the server did not start:\n${server.output()}`);
  }
  return server;
}

async function openContext(
  browser: Browser,
  {
    width = 1280,
    height = 800,
    theme = 'light',
    timezone,
  }: Omit<OpenOptions, 'by' | 'clockAheadMs'>,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    // Without one, a browser without windows takes that of the machine, which need not be one that pages know.
    locale: 'en-US',
    ...(timezone === undefined ? {} : { timezoneId: timezone }),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

async function newPage(context: BrowserContext, faults: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  return page;
}

interface Asked {
  readonly method: Method;
  readonly path: string;
  readonly body: unknown;
}

async function ask(url: string, { method, path, body }: Asked): Promise<unknown> {
  const { status, body: answer } = await request(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: body as object }),
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}
