import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { runClaw } from '../../support/run-claw.ts';
import { openTempRoot, type TempRoot } from '../../support/temp-root.ts';
import { type Answer, request } from '../torture/http-request.ts';
import { TOKEN } from '../torture/workload-script.ts';

/** Three starts of the program, on a machine that does other things too. */
const TIMEOUT_MS = 120_000;
const PATIENCE = { timeout: 20_000, interval: 25 };

let root: TempRoot | undefined;

afterEach(async () => {
  await killBuiltServers();
  await root?.remove();
  root = undefined;
});

async function start(steps: ScriptInput['steps'], env: Readonly<Record<string, string>> = {}) {
  root ??= await openTempRoot();
  await writeFile(join(root.path, 'script.json'), JSON.stringify({ steps }));
  const server = startBuiltServer({
    root: root.path,
    env: {
      API_BEARER_TOKEN: TOKEN,
      CLAW_MODEL: 'scripted/script.json',
      CLAW_ALLOW_SCRIPTED_MODEL: '1',
      ...env,
    },
  });
  const url = await server.ready;
  if (url === undefined) throw new Error(`the server ended early:\n${server.output()}`);
  const ask = (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    request(`${url}${path}`, { method: body ? 'POST' : 'GET', body, headers });
  return { server, ask };
}

const HANGING: ScriptInput['steps'] = [{ text: ['Half of an answer. '.repeat(40)], hang: true }];

interface WireEvent {
  readonly event_type: string;
  readonly seq: number;
  readonly payload: { readonly frames_through?: number };
}

test.each(['frame.before_accept', 'frame.after_accept'] as const)(
  'killed at %s, what a run was told is read by it once',
  { timeout: TIMEOUT_MS },
  async (point) => {
    const first = await start(HANGING, { CLAW_FAULT_POINT: `${point}:1` });
    const created = await first.ask('/v1/runs', { agent_id: 'agent_default', message: 'go' });
    const { id } = created.body as { id: string };
    const eventsOf = async (ask: typeof first.ask) =>
      ((await ask(`/v1/runs/${id}/log`)).body as { events: readonly WireEvent[] }).events;
    const typesOf = async (ask: typeof first.ask) =>
      (await eventsOf(ask)).map(({ event_type }) => event_type);
    const steer = (ask: typeof first.ask): Promise<Answer> =>
      ask(`/v1/runs/${id}/steer`, { message: 'be brief' }, { 'idempotency-key': 'k1' });
    await expect.poll(() => typesOf(first.ask), PATIENCE).toContain('model.requested');
    await steer(first.ask).catch(() => undefined);
    const how = await first.server.ended;

    const second = await start(HANGING);
    const again = await steer(second.ask);
    await second.server.kill();
    const third = await start([{ text: 'Brief.' }, { text: 'Brief again.' }]);
    await expect.poll(() => typesOf(third.ask), PATIENCE).toContain('run.completed');
    const events = await eventsOf(third.ask);
    const late = await steer(third.ask);

    expect(how).toBe('signal SIGKILL');
    expect(again.status).toBe(point === 'frame.before_accept' ? 202 : 200);
    const frames = events.filter(({ event_type: type }) => type === 'frame.accepted');
    expect(frames).toHaveLength(1);
    const taken = events.flatMap(({ payload: { frames_through: through } }) => through ?? []);
    expect(taken).toEqual([frames[0]?.seq]);
    // It was there already, whatever has become of the run.
    expect([late.status, late.body]).toEqual([200, { id, idempotent_replay: true }]);
  },
);

test('claw runs steer tells a run on its way, and says what to do when it has ended', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { ask } = await start(HANGING);
  const created = await ask('/v1/runs', { agent_id: 'agent_default', message: 'go' });
  const { id } = created.body as { id: string };
  const env = { API_BEARER_TOKEN: TOKEN };
  const steer = (words: readonly string[], input = '') =>
    runClaw(root?.path ?? '', ['runs', 'steer', id, ...words], { env, input });

  const told = await steer(['be', 'brief']);
  const piped = await steer([], 'from a pipe');
  await ask(`/v1/runs/${id}/cancel`, {});
  const status = async () => ((await ask(`/v1/runs/${id}`)).body as { status: string }).status;
  await expect.poll(status, PATIENCE).toBe('cancelled');
  const late = await steer(['too late']);

  expect([told.code, told.stdout]).toEqual([0, `run ${id} reads it with its next turn\n`]);
  expect(piped.code).toBe(0);
  expect([late.code, late.stdout]).toEqual([1, '']);
  expect(late.stderr).toContain(`run ${id} has ended (cancelled)`);
});
