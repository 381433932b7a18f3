import { afterEach, expect, test } from 'vitest';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';

const TOKEN = 'settlement-kills-token';
// The last one lets a server die where it is told to.
const ENV = {
  API_BEARER_TOKEN: TOKEN,
  CLAW_MODEL: 'offline/rules',
  CLAW_ALLOW_SCRIPTED_MODEL: '1',
};
const PROJECT = 'killed';
/** After what a call may cost was reserved: before it is made, and before its end is on record. */
const POINTS = ['model.before_call', 'model.after_call'];
const BUDGET = { scope: 'project', project_id: PROJECT, budget_tokens: 1_000_000_000 };

afterEach(killBuiltServers);

type Body = Readonly<Record<string, unknown>>;

async function call(url: string, path: string, method = 'GET', body?: Body): Promise<Body> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

async function start(root: string) {
  const server = startBuiltServer({ root, env: ENV });
  const url = await server.ready;
  if (url === undefined) throw new Error(`a server did not start:\n${server.output()}`);
  return { server, url };
}

/** Asks a server that dies there; or before that, over what the one before has left. */
async function askOverKill(root: string, point: string): Promise<void> {
  const server = startBuiltServer({ root, env: { ...ENV, CLAW_FAULT_POINT: `${point}:1` } });
  const url = await server.ready;
  const body = { agent_id: 'agent_default', message: 'hello', project_id: PROJECT };
  const asked = url === undefined ? undefined : call(url, '/v1/runs', 'POST', body);
  await asked?.catch((thrown: unknown) => {
    // Fetch throws these when the connection breaks.
    if (!(thrown instanceof TypeError)) throw thrown;
  });
  expect(await server.ended).toBe('signal SIGKILL');
}

test('a call that was lost with its server counts as what was reserved for it, once', {
  timeout: 180_000,
}, async () => {
  const { path: root, remove } = await openTempRoot();
  const first = await start(root);
  await call(first.url, '/api/costs/budgets', 'PUT', BUDGET);
  await first.server.stop();

  for (const point of POINTS) await askOverKill(root, point);

  const { server, url } = await start(root);
  const statuses = async () => {
    const { runs } = await call(url, `/v1/runs?project_id=${PROJECT}`);
    return [...new Set((runs as readonly Body[]).map(({ status }) => status))];
  };
  await expect.poll(statuses, { timeout: 60_000, interval: 100 }).toEqual(['completed']);
  const readBudget = async () => {
    const { budgets } = await call(url, '/api/costs/budgets');
    return (budgets as readonly Body[])[0] ?? {};
  };
  const reserved = async () => (await readBudget())['reserved_tokens'];
  await expect.poll(reserved, { timeout: 60_000, interval: 100 }).toBe(0);

  const { spent_tokens: spent, remaining_tokens: left } = await readBudget();
  // Each lost call counts with the longest answer it might have had.
  expect(spent).toBeGreaterThan(POINTS.length * 1_000);
  expect(left).toBe(BUDGET.budget_tokens - Number(spent));
  await server.stop();
  const again = await start(root);
  const { budgets } = await call(again.url, '/api/costs/budgets');
  expect(budgets).toMatchObject([{ spent_tokens: spent, reserved_tokens: 0 }]);
  await again.server.stop();
  await remove();
});
