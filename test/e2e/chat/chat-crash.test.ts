import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { FaultPoint } from '../../../src/core/fault-point.ts';
import { createTestDatabase } from '../../conformance/open-postgres.ts';
import { findPostgres } from '../../support/postgres.ts';
import { type ChatRoot, type ChatServer, openChatRoot, type Said } from './chat-root.ts';

/** Two starts of the program and a conversation, on a machine that does other things too. */
const TIMEOUT_MS = 60_000;
const PATIENCE = { timeout: 20_000, interval: 25 };

const ANSWERED = [
  '1 user: one',
  '1 tool: fs.write wrote 2 line(s) to note.txt',
  '1 assistant: The first answer.',
  '2 user: two',
  '2 assistant: The second answer.',
];

const postgres = await findPostgres();
const skipReason = postgres.available ? '' : ` (skipped: ${postgres.reason})`;

let root: ChatRoot | undefined;

afterEach(async () => {
  await root?.dispose();
  root = undefined;
});

async function expectAnswered(server: ChatServer, said: readonly Said[]): Promise<void> {
  const [first] = said;
  const statuses = () => Promise.all(said.map(({ id }) => server.statusOf(id)));
  await expect.poll(statuses, PATIENCE).toEqual(['completed', 'completed']);
  expect(await server.transcript(first?.session_id ?? '')).toEqual(ANSWERED);
  expect(new Set(said.map(({ session_id }) => session_id)).size).toBe(1);
  expect(await server.sessions()).toBe(1);
  expect(await readFile(join(root?.path ?? '', 'workspace/note.txt'), 'utf8')).toBe('one\n');
}

/** SIGKILL in the middle of an answer, with another message waiting behind it. */
async function killMidAnswer(env: Readonly<Record<string, string>>): Promise<void> {
  root = await openChatRoot(env);
  const first = await root.start('hanging');
  const one = await first.say('one');
  await expect.poll(() => first.transcript(one.session_id), PATIENCE).toEqual(ANSWERED.slice(0, 2));
  const two = await first.say('two');
  expect(await first.statusOf(one.id)).toBe('running');
  expect(await first.statusOf(two.id)).toBe('queued');
  await first.kill();

  const second = await root.start('whole');

  await expectAnswered(second, [one, two]);
  expect(await second.stop()).toBe('code 0');
}

test('killed in the middle of an answer with a message behind it, a server answers both', {
  timeout: TIMEOUT_MS,
}, async () => {
  await killMidAnswer({});
});

test.skipIf(!postgres.available)(
  `the same on PostgreSQL${skipReason}`,
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    await killMidAnswer({ DATABASE_URL: await createTestDatabase('empty') });
  },
);

/** The point, and the how many-th time it is reached. */
const KILLS: readonly [FaultPoint, number][] = [
  ['submit.before_create', 2],
  ['submit.after_create', 1],
  ['submit.after_create', 2],
  ['store.before_commit', 4],
  ['model.mid_stream', 1],
  ['model.after_call', 1],
  ['tool.after_intent', 1],
  ['tool.after_effect', 1],
  ['run.before_finish', 1],
  ['run.after_finish', 1],
  ['run.dispatch', 2],
  ['run.before_finish', 2],
];

test.each(KILLS)(
  'killed at %s, time %i, a chat goes on as if nothing had happened',
  {
    timeout: TIMEOUT_MS,
  },
  async (point, count) => {
    root = await openChatRoot();
    const first = await root.start('whole', { CLAW_FAULT_POINT: `${point}:${count}` });
    // Whether it hears an answer or not, a client can't tell what was stored.
    await first
      .say('one')
      .then(() => first.say('two'))
      .catch(() => undefined);
    const how = await first.ended;

    const second = await root.start('whole');
    const said = [await second.say('one'), await second.say('two')];

    expect(how).toBe('signal SIGKILL');
    await expectAnswered(second, said);
  },
);
