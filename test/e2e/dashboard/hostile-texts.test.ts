import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { goTo } from './look-at.ts';

const suite = test.skipIf(!BROWSER.available);
const TOUR_MS = 120_000;
const OF_EACH_RUN = 20;
let root: DashboardRoot;
let sessionId = '';
let runIds: readonly string[] = [];

beforeAll(async () => {
  if (!BROWSER.available) return;
  // The model says again what it was told: texts come as messages, and as answers in Markdown.
  root = await openDashboard({
    steps: Array.from({ length: HOSTILE_TEXTS.length / OF_EACH_RUN }, () => ({
      text: ['{{message}}'],
    })),
  });
  await seed();
}, TOUR_MS);

afterAll(async () => {
  await root?.dispose();
});

async function seed(): Promise<void> {
  const said: { id: string; session_id: string }[] = [];
  for (let at = 0; at < HOSTILE_TEXTS.length; at += OF_EACH_RUN) {
    const message = HOSTILE_TEXTS.slice(at, at + OF_EACH_RUN).join('\n\n');
    const body = { user_id: 'dashboard_user', room_id: 'hostile', message };
    said.push((await root.ask('POST', '/v1/chat/messages', body)) as (typeof said)[number]);
  }
  sessionId = said[0]?.session_id ?? '';
  runIds = said.map(({ id }) => id);
  for (const text of HOSTILE_TEXTS.filter((_, at) => at % OF_EACH_RUN === 0)) {
    await root.ask('POST', '/api/memory/ingest', {
      content: text,
      priority_score: 8,
      metadata: { agent_id: 'agent_default', project_id: 'proj_001', source: 'chat', tags: ['x'] },
    });
  }
  await root.ask('POST', '/api/admin/scheduler/jobs', {
    job_id: 'hostile',
    agent_id: 'agent_default',
    schedule: '@every 24h',
    message: HOSTILE_TEXTS.slice(0, OF_EACH_RUN).join('\n'),
    mode: 'isolated',
    enabled: true,
  });
  const all = () => root.ask('GET', `/v1/runs/${runIds.at(-1)}`) as Promise<{ status: string }>;
  await vi.waitFor(async () => expect((await all()).status).toBe('completed'), {
    timeout: PATIENCE_MS,
  });
  // Only now: it would hold the runs back.
  const [text = ''] = HOSTILE_TEXTS;
  await root.ask('PUT', '/api/admin/kill-switch', { on: true, reason: text });
  await root.ask('PUT', '/api/admin/kill-switch', { on: false, reason: text });
}

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
    const paths = [
      '/',
      '/chat',
      `/chat/${sessionId}`,
      '/runs',
      ...runIds.map((id) => `/runs/${id}`),
      '/schedule',
      '/schedule/hostile',
      '/agents',
      '/memory',
      '/knowledge',
      '/projects',
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
  const page = await root.open(`/chat/${sessionId}`);
  const [text = ''] = HOSTILE_TEXTS;
  await page.getByText(text, { exact: false }).first().waitFor();
});
