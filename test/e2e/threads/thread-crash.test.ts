import { afterEach, expect, test } from 'vitest';
import { type FaultPoint, THREAD_FAULT_POINTS } from '../../../src/core/fault-point.ts';
import {
  createSignedClient,
  SECRET,
  type SignedClient,
} from '../../contract/internal/signed-client.ts';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { openTempRoot, type TempRoot } from '../../support/temp-root.ts';

/** Two starts of the program and a conversation, on a machine that does other things too. */
const TIMEOUT_MS = 60_000;
const PATIENCE = { timeout: 20_000, interval: 25 };

const RUN = { run_id: 'run_crash', thread_id: 'thread_crash' };
const FRAMES = [
  { frame_id: 'frm_1', type: 'user_message', payload: { text: 'one' } },
  { frame_id: 'frm_2', type: 'user_message', payload: { text: 'two' } },
  { frame_id: 'frm_3', type: 'finish', payload: { reason: 'done' } },
];

let root: TempRoot | undefined;

afterEach(async () => {
  await killBuiltServers();
  await root?.remove();
  root = undefined;
});

async function start(env: Readonly<Record<string, string>> = {}) {
  root ??= await openTempRoot();
  const server = startBuiltServer({
    root: root.path,
    env: {
      RUNTIME_SIGNATURE_SECRET: SECRET,
      CLAW_MODEL: 'offline/rules',
      // Fault points listen only where scripted models may be used: never by accident.
      CLAW_ALLOW_SCRIPTED_MODEL: '1',
      ...env,
    },
  });
  const url = await server.ready;
  if (url === undefined) throw new Error(`the server ended early:\n${server.output()}`);
  return { server, client: createSignedClient(Number(new URL(url).port)) };
}

const PATH = `/runs/${RUN.run_id}`;
const QUERY = `thread_id=${RUN.thread_id}`;

interface Snapshot {
  readonly status: string;
  readonly awaitingInput: boolean;
}

async function snapshotOf(client: SignedClient): Promise<Snapshot> {
  return (await client.get(`${PATH}/snapshot?${QUERY}`)).body as Snapshot;
}

/** What a back end does that does not know how far it got: everything, again. */
async function sendAll(client: SignedClient, options = { isPatient: false }): Promise<void> {
  await client.post('/runs', RUN);
  for (const frame of FRAMES) {
    const sent = { thread_id: RUN.thread_id, ...frame };
    const { status } = await client.post(`${PATH}/frames`, sent);
    expect([200, 202]).toContain(status);
    if (!options.isPatient || frame.type === 'finish') continue;
    // Each message is answered before the next, so that the run rests in between.
    await expect.poll(async () => (await snapshotOf(client)).awaitingInput, PATIENCE).toBe(true);
  }
}

interface WireEvent {
  readonly type: string;
  readonly eventType?: string;
  readonly payload?: { readonly frame_id?: string };
}

/** The point, and the how many-th time it is reached. */
const KILLS: readonly [FaultPoint, number][] = [
  ...THREAD_FAULT_POINTS.map((point): [FaultPoint, number] => [point, 1]),
  ['frame.before_accept', 2],
  ['frame.after_accept', 2],
  ['submit.after_create', 1],
  ['model.mid_stream', 1],
  ['model.after_call', 1],
  ['run.before_finish', 1],
  ['run.after_finish', 1],
];

test.each(KILLS)(
  'killed at %s, time %i, a thread goes on as if nothing had happened',
  { timeout: TIMEOUT_MS },
  async (point, count) => {
    const first = await start({ CLAW_FAULT_POINT: `${point}:${count}` });
    void sendAll(first.client, { isPatient: true }).catch(() => undefined);
    const how = await first.server.ended;

    const { client } = await start();
    await sendAll(client);
    await expect.poll(async () => (await snapshotOf(client)).status, PATIENCE).toBe('succeeded');
    const stream = await client.stream(`${PATH}/stream?${QUERY}&cursor=0`);
    await stream.ended;
    const frames = stream.frames();
    const events = frames.slice(0, -1).map(({ data }) => data as WireEvent);

    expect(how).toBe('signal SIGKILL');
    expect(frames.slice(0, -1).map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(frames.at(-1)).toEqual({ event: 'message', id: events.length, data: '[DONE]' });
    expect(events.flatMap(({ payload }) => payload?.frame_id ?? [])).toEqual([
      'frm_1',
      'frm_2',
      'frm_3',
    ]);
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'start')).toHaveLength(1);
  },
);
