import { afterEach, expect, test } from 'vitest';
import { HANDOFF_FAULT_POINTS } from '../../../src/core/fault-point.ts';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';

const TOKEN = 'handoff-kills-token';
// The last one lets a server die where it is told to.
const ENV = {
  API_BEARER_TOKEN: TOKEN,
  CLAW_MODEL: 'offline/rules',
  CLAW_ALLOW_SCRIPTED_MODEL: '1',
};
const PROJECT = 'killed';

afterEach(killBuiltServers);

type Body = Readonly<Record<string, unknown>>;

async function call(url: string, path: string, body?: Body): Promise<Body> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

const rowsOf = (answer: Body, name: string) => answer[name] as readonly Body[];

async function start(root: string, extra: Readonly<Record<string, string>> = {}) {
  const server = startBuiltServer({ root, env: { ...ENV, ...extra } });
  const url = await server.ready;
  if (url === undefined) throw new Error(`a server did not start:\n${server.output()}`);
  return { server, url };
}

const toHandoff = (point: string): Body => ({
  from_agent_id: 'agent_default',
  to_agent_id: 'worker',
  project_id: PROJECT,
  content: `say what time it is (${point})`,
  key: point,
});

/** Gives work to a server that dies there; or before that, over what the one before has left. */
async function giveOverKill(root: string, point: string): Promise<void> {
  const server = startBuiltServer({ root, env: { ...ENV, CLAW_FAULT_POINT: `${point}:1` } });
  const url = await server.ready;
  const given =
    url === undefined
      ? undefined
      : call(url, '/api/agents/handoff', toHandoff(point)).catch(() => undefined);
  expect(await server.ended).toBe('signal SIGKILL');
  await given;
}

test('a hand-off that is killed anywhere arrives once and is reported once', {
  timeout: 180_000,
}, async () => {
  const { path: root, remove } = await openTempRoot();
  const first = await start(root);
  await call(first.url, '/api/admin/agents', { agent_id: 'worker' });
  await first.server.stop();

  for (const point of HANDOFF_FAULT_POINTS) await giveOverKill(root, point);

  const { server, url } = await start(root);
  const list = () => call(url, `/api/agents/handoffs?project_id=${PROJECT}`);
  const ids = new Set<unknown>();
  for (const point of HANDOFF_FAULT_POINTS) {
    ids.add((await call(url, '/api/agents/handoff', toHandoff(point)))['handoff_id']);
  }
  const unreported = async () =>
    rowsOf(await list(), 'handoffs').filter((handoff) => handoff['reported_at'] === null).length;
  await expect.poll(unreported, { timeout: 60_000, interval: 100 }).toBe(0);

  const handoffs = rowsOf(await list(), 'handoffs');
  const runs = rowsOf(await call(url, `/v1/runs?project_id=${PROJECT}`), 'runs');
  const mail = rowsOf(await call(url, '/api/admin/mail?agent_id=agent_default'), 'mail');
  const memories = rowsOf(await call(url, `/api/memory?project_id=${PROJECT}`), 'memories');
  const feed = rowsOf(await call(url, `/api/knowledge/feed?project_id=${PROJECT}`), 'entries');
  const sorted = (values: readonly unknown[]) => values.map(String).sort();
  expect(sorted(handoffs.map((one) => one['handoff_id']))).toEqual(sorted([...ids]));
  expect(handoffs.map((one) => one['state'])).toEqual(HANDOFF_FAULT_POINTS.map(() => 'done'));
  expect(sorted(runs.map((one) => one['id']))).toEqual(
    sorted(handoffs.map((one) => one['run_id'])),
  );
  expect(sorted(mail.map((one) => one['task_id']))).toEqual(sorted([...ids]));
  expect(sorted(memories.map((one) => one['content']))).toEqual(
    sorted(handoffs.map((one) => one['content'])),
  );
  expect(sorted(feed.map((one) => one['kind']))).toEqual(
    sorted(HANDOFF_FAULT_POINTS.flatMap(() => ['handoff', 'handoff_result'])),
  );
  await server.stop();
  await remove();
});
