import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { goTo } from './look-at.ts';
import { type HostileState, OF_EACH_RUN, seedHostileTexts } from './seed-hostile.ts';

const suite = test.skipIf(!BROWSER.available);
const TOUR_MS = 120_000;
let root: DashboardRoot;
let state: HostileState;

beforeAll(async () => {
  if (!BROWSER.available) return;
  // The model says again what it was told: texts come as messages, and as answers in Markdown.
  root = await openDashboard({
    steps: Array.from({ length: HOSTILE_TEXTS.length / OF_EACH_RUN }, () => ({
      text: ['{{message}}'],
    })),
    config: { policy: { rules: [{ tool: 'fs.write', decision: 'ask' }] } },
  });
  state = await seedHostileTexts(root);
}, TOUR_MS);

afterAll(async () => {
  await root?.dispose();
});

/** What a page did that it should not have: ran something, or asked anybody but its server. */
async function watch(page: Page): Promise<() => Promise<readonly unknown[]>> {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== root.url) foreign.push(request.url());
  });
  page.on('dialog', (dialog) => {
    foreign.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return async () => {
    const isBroken = await page.evaluate('window.__broken');
    const odd = await page.evaluate(
      '[...document.querySelectorAll(\'main script, main iframe, main object, main embed, main [onerror], main [onload], main a[href^="javascript:" i], main a[href^="data:" i], main img:not([src^="/dashboard/"])\')].map((element) => element.outerHTML)',
    );
    return [...foreign, ...(isBroken === undefined ? [] : ['ran']), ...(odd as string[])];
  };
}

suite(
  '200 hostile texts are shown as text on every page',
  async () => {
    const page = await root.open('/');
    const faults = await watch(page);
    const { sessionId, runIds, waitingId, agentIds } = state;
    const paths = [
      '/',
      '/chat',
      `/chat/${sessionId}`,
      '/runs',
      ...[...runIds, waitingId].map((id) => `/runs/${id}`),
      '/schedule',
      '/schedule/hostile',
      '/agents',
      ...agentIds.slice(0, 2).map((id) => `/agents/${id}`),
      '/memory',
      '/knowledge',
      '/knowledge/feed',
      '/knowledge/facts',
      '/projects',
      '/projects/proj_001',
      '/skills',
      '/tools',
      '/costs',
      '/audit',
      '/security',
      '/settings',
    ];
    for (const path of paths) {
      await goTo(page, path);
      expect([path, await faults()]).toEqual([path, []]);
    }
  },
  TOUR_MS,
);

suite('what was written is there to be read, letter by letter', async () => {
  const page = await root.open(`/chat/${state.sessionId}`);
  const [text = ''] = HOSTILE_TEXTS;
  await page.getByText(text, { exact: false }).first().waitFor();
});
