// Makes docs/images: each page of the dashboard in light and dark, of a server with made-up work. Needs Chromium.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { exitWith, root } from './lib/process.mjs';

const TOKEN = 'token-of-the-pictures-0123456789abcdef';
const OUT = join(root, 'docs/images');
const SIZE = { width: 1280, height: 800 };
const DAY_MS = 86_400_000;

const REPORT = [
  'Three things changed this week:\n\n',
  '| what | before | now |\n|---|---|---|\n| Start | 0.62 s | 0.41 s |\n| Idle memory | 118 MB | 109 MB |\n\n',
  'The slow part was loading every page at once. It is now loaded when it is first opened:\n\n',
  '```ts\nconst page = lazy(() => import("./runs-page.tsx"));\n```\n\nShall I open a pull request?',
];

/** What the model says, by the number of answers that a conversation holds. */
const STEPS = [
  {
    text: ['I look at what changed first.'],
    toolCalls: [
      { tool: 'fs.list', input: { path: '.' } },
      { tool: 'fs.read', input: { path: 'NOTES.md' } },
    ],
    usage: { inputTokens: 1843, outputTokens: 61 },
  },
  {
    text: ['Now I write it down.'],
    toolCalls: [{ tool: 'fs.write', input: { path: 'report.md', content: REPORT.join('') } }],
    usage: { inputTokens: 2310, outputTokens: 240, cachedInputTokens: 1792 },
  },
  {
    text: REPORT,
    deltaDelayMs: 30,
    usage: { inputTokens: 2590, outputTokens: 188, cachedInputTokens: 2304 },
  },
];

const PAGES = [
  ['home', '/'],
  ['chat', '/chat/{session}'],
  ['runs', '/runs'],
  ['run', '/runs/{run}'],
  ['schedule', '/schedule'],
  ['agents', '/agents'],
  ['memory', '/memory'],
  ['knowledge', '/knowledge'],
  ['projects', '/projects'],
  ['skills', '/skills'],
  ['tools', '/tools'],
  ['costs', '/costs'],
  ['audit', '/audit'],
  ['security', '/security'],
  ['settings', '/settings'],
];

await ensureBuilt({ fail: exitWith });
const state = mkdtempSync(join(tmpdir(), 'pincer-pictures-'));
writeState();
const server = spawn(process.execPath, [join(root, 'dist/claw.cjs'), 'serve', '--port', '0'], {
  cwd: state,
  env: {
    PATH: process.env.PATH,
    CLAW_ROOT: state,
    API_BEARER_TOKEN: TOKEN,
    CLAW_ALLOW_SCRIPTED_MODEL: '1',
    CLAW_MODEL: 'scripted/script.json',
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await readUrl();
  const places = await seed(url);
  await takePictures(url, places);
} finally {
  server.kill('SIGTERM');
  rmSync(state, { recursive: true, force: true });
}

function writeState() {
  mkdirSync(join(state, '.openclawssy'), { recursive: true, mode: 0o700 });
  mkdirSync(join(state, 'workspace'), { recursive: true });
  writeFileSync(join(state, 'workspace/NOTES.md'), '# Notes\n\nStart is slow on small machines.\n');
  const prices = { 'scripted/script.json': { input_per_million: 3, output_per_million: 15 } };
  writeFileSync(join(state, '.openclawssy/config.json'), JSON.stringify({ prices }), {
    mode: 0o600,
  });
  writeFileSync(join(state, 'script.json'), JSON.stringify({ steps: STEPS }));
}

async function readUrl() {
  let printed = '';
  for await (const chunk of server.stdout) {
    printed += chunk;
    const [, url] = /listens on (http:\/\/\S+)/.exec(printed) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the server did not start:\n${printed}`);
}

async function ask(url, [method, path], body) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function seed(url) {
  const messages = [
    'What changed in the start-up time this week?',
    'Summarise the open questions about the billing export',
    'Find every place that still uses the old client',
    'Draft the notes for release 2.4',
  ];
  const said = [];
  for (const [at, message] of messages.entries()) {
    const body = { user_id: 'dashboard_user', room_id: `room-${at}`, message };
    said.push(await ask(url, ['POST', '/v1/chat/messages'], body));
  }
  await seedKnown(url);
  await seedCosts(url);
  for (const [job_id, schedule, message] of [
    ['morning-report', '@every 24h', 'Tell me what happened overnight'],
    ['inbox', '@every 45m', 'Sort the new mail, and answer what is simple'],
    ['backup-check', '@every 6h', 'Look whether the last backup can be restored'],
  ]) {
    const fixed = { agent_id: 'agent_default', mode: 'isolated', enabled: true };
    await ask(url, ['POST', '/api/admin/scheduler/jobs'], { job_id, schedule, message, ...fixed });
  }
  const { session_id: session, id: run } = said[0];
  for (const { id } of said) await untilEnded(url, id);
  return { session, run };
}

async function untilEnded(url, id) {
  for (let tries = 0; tries < 200; tries += 1) {
    const { status } = await ask(url, ['GET', `/v1/runs/${id}`]);
    if (status === 'completed' || status === 'failed') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${id} did not end`);
}

async function seedKnown(url) {
  const memories = [
    ['The user prefers short answers with one example', ['style']],
    ['Releases go out on Thursdays; nothing is merged after Wednesday noon', ['release']],
    [
      'The billing export writes CSV with semicolons for the German customers',
      ['billing', 'export'],
    ],
    ['Start-up time is measured with npm run bench -- start', ['performance', 'release']],
    ['Marta owns the export and the invoices', ['billing', 'people']],
  ];
  for (const [content, tags] of memories) {
    const metadata = { agent_id: 'agent_default', project_id: 'proj_001', source: 'chat', tags };
    await ask(url, ['POST', '/api/memory/ingest'], { content, priority_score: 8, metadata });
  }
}

async function seedCosts(url) {
  for (let day = 27; day >= 0; day -= 1) {
    for (const [at, agent_id] of ['researcher', 'writer', 'inbox'].entries()) {
      const cost_usd = Number(
        (0.4 + Math.abs(Math.sin(day * (at + 1))) * (2 - at * 0.5)).toFixed(4),
      );
      await ask(url, ['POST', '/api/costs/usage'], {
        project_id: 'proj_001',
        agent_id,
        tokens_in: Math.round(cost_usd * 90_000),
        tokens_out: Math.round(cost_usd * 12_000),
        cost_usd,
        timestamp: new Date(Date.now() - day * DAY_MS).toISOString(),
      });
    }
  }
  await ask(url, ['PUT', '/api/costs/budgets'], { scope: 'day', budget_usd: 10 });
  await ask(url, ['PUT', '/api/costs/budgets'], {
    scope: 'project',
    project_id: 'proj_001',
    budget_usd: 150,
  });
}

async function takePictures(url, places) {
  mkdirSync(OUT, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({
        viewport: SIZE,
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.goto((await ask(url, ['POST', '/api/admin/sign-ins/codes'])).url);
      await page.locator('main h1').first().waitFor();
      for (const [name, pattern] of PAGES) {
        const path = pattern.replace(/\{(\w+)\}/g, (_, place) => places[place]);
        await page.goto(`${url}/dashboard${path}`, { waitUntil: 'load' });
        await page.locator('main h1, main h2').first().waitFor();
        await page.locator('main [aria-label=Loading]').first().waitFor({ state: 'detached' });
        // The layout of the graph, and colours of code, come a moment later.
        await page.waitForTimeout(name === 'knowledge' ? 3_000 : 700);
        await page.screenshot({ path: join(OUT, `${name}-${colorScheme}.png`) });
        process.stdout.write(`docs/images/${name}-${colorScheme}.png\n`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
}
