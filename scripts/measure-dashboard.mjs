// How soon the pages of a running server are drawn, and how many bytes that takes; each time in a browser that has nothing yet.
// API_BEARER_TOKEN=… node scripts/measure-dashboard.mjs http://127.0.0.1:3000
import { chromium } from 'playwright-core';
import { exitWith } from './lib/process.mjs';

const ROUNDS = 5;
const PAGES = { '/': 'main h1', '/chat': '[aria-label="Your message"]' };
const [url] = process.argv.slice(2);
const token = process.env.API_BEARER_TOKEN;
if (url === undefined || !token) {
  exitWith('give the address of a server, and its token as API_BEARER_TOKEN');
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
for (const [path, shown] of Object.entries(PAGES)) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(path, shown));
  const [paintMs, shownMs, bytes] = ['paintMs', 'shownMs', 'bytes'].map((name) =>
    Math.round(median(rounds.map((one) => one[name]))),
  );
  process.stdout.write(
    `${path.padEnd(6)} first paint ${paintMs} ms, page there ${shownMs} ms, ${(bytes / 1000).toFixed(1)} kB gzipped\n`,
  );
}
await browser.close();

async function measure(path, shown) {
  const context = await browser.newContext({ extraHTTPHeaders: { 'accept-encoding': 'gzip' } });
  const answer = await context.request.post(`${url}/dashboard/session`, { data: { token } });
  if (!answer.ok()) exitWith(`the server did not let the browser in: ${answer.status()}`);
  const page = await context.newPage();
  const loading = [];
  page.on('requestfinished', (request) => {
    if (request.url().startsWith(`${url}/dashboard/`)) loading.push(request.sizes());
  });
  await page.goto(`${url}/dashboard${path}`);
  await page.locator(shown).first().waitFor();
  const [shownMs, paintMs] = await page.evaluate(() => [
    performance.now(),
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  ]);
  const sizes = await Promise.all(loading);
  await context.close();
  return { paintMs, shownMs, bytes: sizes.reduce((sum, one) => sum + one.responseBodySize, 0) };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
