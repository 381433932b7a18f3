import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER, type DashboardRoot, openDashboard, PATIENCE_MS } from './dashboard-root.ts';
import { lookAt } from './look-at.ts';

const MCP_SERVER = fileURLToPath(
  new URL('../../../src/mcp/test-stdio-server.mjs', import.meta.url),
);
const suite = test.skipIf(!BROWSER.available);
let root: DashboardRoot;
let page: Page;
/** Takes orders and never answers: nobody can tell whether one was carried out. */
let silent: Server;
let orders = 0;
/** An address where nobody listens any more. */
let nobody: string;

beforeAll(async () => {
  if (!BROWSER.available) return;
  silent = createServer(() => {
    orders += 1;
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/orders`;
  nobody = await findSilence();
  root = await openDashboard({
    config: {
      network: { enabled: true, allow_localhosts: true },
      providers: { ollama: { base_url: nobody } },
      policy: {
        rules: [
          { tool: 'fs.write', decision: 'allow', where: { field: 'path', prefix: 'notes/' } },
        ],
      },
      mcpServers: {
        calm: { command: process.execPath, args: [MCP_SERVER, 'good'], approve_new_tools: false },
        weather: { command: 'nothing', disabled: true },
      },
    },
    steps: [
      { toolCalls: [{ tool: 'http.request', input: { url, method: 'POST', body: '{}' } }] },
      { text: ['It is ordered.'] },
    ],
  });
  page = await root.open('/tools');
});

type Servers = Readonly<Record<string, unknown>>;

async function findSilence(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

afterAll(async () => {
  await root?.dispose();
  silent?.closeAllConnections();
  silent?.close();
});

suite('the tools that are looked for are in the address', async () => {
  await lookAt(page, '/tools?q=fs.re');
  await page.getByRole('row', { name: /fs\.read\b/ }).waitFor();
  expect(await page.getByRole('row', { name: /fs\.write\b/ }).count()).toBe(0);
  await page.getByRole('searchbox', { name: 'Find a tool' }).fill('fs.w');

  await page.getByRole('row', { name: /fs\.write\b/ }).waitFor();
  expect(page.url()).toContain('q=fs.w');
});

suite('a breaker that is open is seen and reset', async () => {
  await root.ask('POST', '/api/admin/tools/fs.read/circuit-breaker/open');
  await lookAt(page, '/tools');
  const row = page.getByRole('row', { name: /fs\.read\b/ });
  await row.getByText('cut off by an operator').waitFor();

  await row.getByRole('button', { name: 'Reset' }).click();

  await row.getByText('works').waitFor();
});

suite('what is allowed for always is listed and taken back', async () => {
  await lookAt(page, '/tools/grants#standing');
  const standing = page.getByRole('region', { name: 'Standing answers' });
  await standing.getByRole('row', { name: /fs\.write.*notes\// }).waitFor();
  await standing.getByRole('button', { name: /^Withdraw/ }).click();

  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();

  await page.getByText('There are none.').waitFor();
  expect(await root.ask('GET', '/api/admin/config')).toMatchObject({ policy: { rules: [] } });
});

suite('a tool of an external server is read before it is approved', async () => {
  await lookAt(page, '/tools/mcp');
  await page.getByRole('button', { name: 'Review mcp__calm__echo' }).click();
  const review = page.getByRole('dialog', { name: 'mcp__calm__echo' });
  await review.getByText('Says it again').waitFor();
  await review.getByText('"required"').waitFor();

  await review.getByRole('button', { name: 'Approve' }).click();

  await page.getByRole('button', { name: 'Look at mcp__calm__echo' }).waitFor();
  expect(await root.ask('GET', '/api/admin/mcp/calm/tools/echo')).toMatchObject({
    status: 'approved',
    approved: { description: 'Says it again' },
  });
});

suite('a provider of models is asked when somebody presses for it', async () => {
  await lookAt(page, '/settings/providers');
  const row = page.getByRole('listitem').filter({ hasText: nobody });
  await row.getByText('not asked yet').waitFor();

  await row.getByRole('button', { name: 'Test ollama' }).click();

  await row.getByText('start it with ollama serve').waitFor();
  await row.getByText('review').waitFor();
});

suite('a call that may have taken effect is settled by a person', async () => {
  await root.ask('POST', '/v1/runs', { agent_id: 'agent_default', message: 'order it' });
  await expect.poll(() => orders, { timeout: PATIENCE_MS }).toBe(1);
  await root.restart();
  await lookAt(page, '/tools/effects');
  await page.getByRole('button', { name: 'Settle' }).click();
  await page.getByLabel('What you found').fill('the order is on the list');

  await page.getByRole('button', { name: 'It did', exact: true }).click();

  await page.getByText('Nothing to settle').waitFor();
  const { effects } = (await root.ask('GET', '/api/admin/effects?status=confirmed')) as {
    effects: { resolution: { note: string } | null }[];
  };
  expect(effects.map(({ resolution }) => resolution?.note)).toContain('the order is on the list');
  expect(orders).toBe(1);
});

suite('a budget is set, and everything is stopped and goes on', async () => {
  await lookAt(page, '/costs');
  await page.getByRole('button', { name: 'Set a budget' }).click();
  await page.getByLabel('US dollars').fill('not money');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('US dollars').fill('12.50');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('$0 of $12.50').waitFor();

  await page.getByRole('button', { name: 'Stop everything' }).click();
  await page.getByLabel('Why').fill('too much mail');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click();
  await page.getByText('everything is stopped').first().waitFor();
  const refused = root.ask('POST', '/v1/runs', { agent_id: 'agent_default', message: 'x' });
  await expect(refused).rejects.toThrow(/503/);

  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click();
  await page.getByText('off', { exact: true }).waitFor();
});

suite('a job is made in words, seen on the line, paused and deleted', async () => {
  await lookAt(page, '/schedule');
  await page.getByRole('button', { name: 'New job' }).click();
  await page.getByLabel('Name').fill('hourly');
  await page.getByLabel('When', { exact: true }).fill('whenever you like');
  await page
    .getByText(/every weekday|understand|examples/i)
    .first()
    .waitFor();
  await page.getByLabel('When', { exact: true }).fill('every 2 hours');
  await page.getByText(/^Next: /).waitFor();
  await page.getByLabel('What the agent is told').fill('look after things');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'every 2 hours' }).waitFor();

  await page.getByRole('switch', { name: 'hourly fires' }).click();
  await page.getByRole('cell', { name: 'not planned' }).waitFor();
  await page.getByRole('link', { name: 'hourly', exact: true }).first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What the agent is told').fill('not wanted after all');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const told = page.getByLabel('What the agent is told');
  expect(await told.inputValue()).toBe('look after things');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await lookAt(page, '/schedule?span=7d');
  await page.getByRole('button', { name: '7 days', pressed: true }).waitFor();
  await lookAt(page, '/schedule/hourly');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

  await page.getByText('Nothing is scheduled').waitFor();
});

suite('a setting that is wrong is told beside it and stays typed; a right one is saved', async () => {
  await lookAt(page, '/settings?q=rate_limit_max');
  const field = page.getByLabel('api.rate_limit_max');
  await field.fill('-5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('-5');

  await field.fill('700');
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByText(/Saved/).waitFor();
  expect(await root.ask('GET', '/api/admin/config')).toMatchObject({
    api: { rate_limit_max: 700 },
  });
});

suite('what another saved meanwhile is not written over unseen, and what is taken out is gone', async () => {
  await lookAt(page, '/settings?q=mcpServers');
  const field = page.getByLabel('mcpServers', { exact: true });
  const { weather: _gone, ...left } = JSON.parse(await field.inputValue()) as Servers;
  await field.fill(`${JSON.stringify(left).slice(0, -1)},`);
  await page.getByText('This is not JSON yet.').waitFor();
  await field.fill(JSON.stringify(left));
  const other = { command: 'nothing', disabled: true };
  await root.ask('PATCH', '/api/admin/config', { mcpServers: { other } });
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('alert', { name: 'mcpServers was changed elsewhere' });
  await conflict.getByText('"other"').waitFor();
  expect(await field.inputValue()).toBe(JSON.stringify(left));
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('mcpServers');

  await conflict.getByRole('button', { name: 'Go on with mine' }).click();
  await page.getByRole('button', { name: 'Save' }).click();

  const saved = () => root.ask('GET', '/api/admin/config') as Promise<{ mcpServers: Servers }>;
  await expect.poll(async () => Object.keys((await saved()).mcpServers)).toEqual(['calm']);
});

suite('a secret goes in and never comes out', async () => {
  await lookAt(page, '/settings/secrets');
  await page.getByLabel('Name').fill('provider/openai/api_key');
  await page.getByLabel('Value').fill('sk-very-secret-0123456789');
  await page.getByRole('button', { name: 'Store' }).click();

  await page.getByRole('cell', { name: 'provider/openai/api_key', exact: true }).waitFor();
  expect(await page.content()).not.toContain('sk-very-secret');
});

suite('the records are found, unfolded and verified', async () => {
  await root.ask('POST', '/v1/runs', { agent_id: 'agent_default', message: 'leave a record' });
  await lookAt(page, '/audit?types=run.created');
  await page
    .getByRole('button', { name: /run\.created/ })
    .first()
    .click();
  await page.getByText('Struck out', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Verify' }).click();

  await page.getByText('nothing was altered').waitFor();
});

suite('another browser is signed out from here', async () => {
  const other = await root.open('/');
  await lookAt(page, '/security');
  await page.getByText('this one').waitFor();

  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();

  await other.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await page.getByText(/signed out\./).waitFor();
});
