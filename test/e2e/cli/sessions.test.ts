import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { common, type Document } from './claw.ts';
import { notFound, openWay, until, WAYS, type Way, type WayOptions, type WayRoot } from './ways.ts';

let at: WayRoot;

afterEach(() => at.dispose());

const LIST_HINT = 'claw sessions list --include-closed shows the sessions there are';

/** A state root with one conversation of one exchange; its server stops again when the way is without one. */
async function openConversation(
  way: Way,
  options?: WayOptions,
): Promise<{ readonly at: WayRoot; readonly id: string }> {
  const opened = await openWay(way, options);
  const server = opened.url === undefined ? await opened.root.serveInline() : undefined;
  const url = opened.url ?? server?.url ?? '';
  const token = await readFile(join(opened.root.path, '.openclawssy/token'), 'utf8');
  const answer = await fetch(`${url}/v1/chat/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'ana', room_id: 'den', message: 'what time is it?' }),
  });
  const { session_id: id } = (await answer.json()) as { readonly session_id: string };
  await until(
    () => opened.document(['sessions', 'show', id]),
    ({ message_count: count }) => count === 3,
  );
  await server?.close();
  return { at: opened, id };
}

function sessionOf(id: string) {
  return {
    session_id: id,
    agent_id: 'agent_default',
    channel: 'http',
    user_id: 'ana',
    room_id: 'den',
    title: 'what time is it?',
    message_count: 3,
    last_exchange: 1,
    forked_from: null,
    created_at: '<time>',
    updated_at: '<time>',
    closed_at: null,
  };
}

/** With what goes on in it. */
function glanceAt(id: string) {
  return {
    ...sessionOf(id),
    state: 'done',
    run: { id: expect.stringMatching(/^(<run>|run_\w+)$/), status: 'completed' },
    approval_id: null,
    last_message: { role: 'assistant', text: expect.stringMatching(/^It is /), ts: '<time>' },
  };
}

test.each(WAYS)('shows a conversation and what was said in it: %s', async (via) => {
  const opened = await openConversation(via);
  ({ at } = opened);
  const { id } = opened;

  const shown = await at.document(['sessions', 'show', id]);
  const listed = await at.document(['sessions', 'list', '--user', 'ana', '--room', 'den']);
  const others = await at.document(['sessions', 'list', '--channel', 'cli']);
  const said = await at.document(['sessions', 'messages', id]);

  const list = { ...common('sessions list', 0), next_cursor: null, via };
  const message = { ts: '<time>', exchange: 1, run_id: expect.stringMatching(/^(<run>|run_\w+)$/) };
  expect(shown).toEqual({ ...common('sessions show', 0), ...glanceAt(id), via });
  expect(listed).toEqual({
    ...list,
    sessions_count: 1,
    sessions: [{ ...glanceAt(id), match: null }],
  });
  expect(others).toEqual({ ...list, sessions_count: 0, sessions: [] });
  expect(said).toEqual({
    ...common('sessions messages', 0),
    session_id: id,
    messages_count: 3,
    messages: [
      { ...message, role: 'user', content: 'what time is it?' },
      {
        ...message,
        role: 'tool',
        content: expect.stringContaining('"tool":"time.now"'),
        tool_name: 'time.now',
        tool_call_id: expect.any(String),
      },
      { ...message, role: 'assistant', content: expect.any(String) },
    ],
    next_cursor: null,
    via,
  });
});

test.each(WAYS)('forks and closes a conversation: %s', async (via) => {
  const opened = await openConversation(via);
  ({ at } = opened);
  const { id } = opened;

  const forked = await at.document(['sessions', 'fork', id, '--id', 'branch']);
  const taken = await at.document(['sessions', 'fork', id, '--id', 'branch']);
  const empty = await at.text(['sessions', 'fork', id, '--id', 'bare', '--through-exchange', '0']);
  const closed = await at.document(['sessions', 'close', id]);
  const again = await at.document(['sessions', 'close', id]);
  const open = await at.document(['sessions', 'list']);
  const all = await at.document(['sessions', 'list', '--include-closed']);

  const branch = { ...sessionOf('branch'), forked_from: id };
  expect(forked).toEqual({ ...common('sessions fork', 0), ...branch, via });
  expect(taken).toMatchObject({ exit_code: 1, error: { kind: 'runtime' } });
  expect(empty).toEqual({
    code: 0,
    stdout: `session bare is a fork of ${id} with 0 messages\n`,
    stderr: '',
  });
  expect(closed).toEqual({
    ...common('sessions close', 0),
    ...sessionOf(id),
    closed_at: '<time>',
    via,
  });
  expect(again).toEqual(closed);
  expect(ids(open).sort()).toEqual(['bare', 'branch']);
  expect(ids(all).sort()).toEqual(['bare', 'branch', id].sort());
});

test.each(WAYS)('compacts a conversation: %s', async (via) => {
  const opened = await openConversation(via, { isShipped: true });
  ({ at } = opened);
  const { id } = opened;

  const compacted = await at.document(['sessions', 'compact', id]);
  const again = await at.text(['sessions', 'compact', id]);

  const summary = String(compacted['summary']);
  expect(compacted).toEqual({
    ...common('sessions compact', 0),
    session_id: id,
    folded_messages: 3,
    summary: expect.stringMatching(
      /^Earlier in this conversation \(3 messages, shortened\):\n#1 user: what time is it\?\n#2 tool time\.now: .+\n#3 assistant: .+$/,
    ),
    via,
  });
  expect(again).toEqual({
    code: 0,
    stdout: `0 messages of session ${id} folded into its summary\n\n${summary}\n`,
    stderr: '',
  });
});

function ids({ sessions }: Document): string[] {
  return (sessions as readonly { readonly session_id: string }[]).map((one) => one.session_id);
}

test.each(WAYS)('pages through conversations and messages: %s', async (via) => {
  const opened = await openConversation(via);
  ({ at } = opened);
  const { id } = opened;
  await at.document(['sessions', 'fork', id, '--id', 'branch']);

  const first = await at.document(['sessions', 'list', '--limit', '1']);
  const rest = await at.document([
    ...['sessions', 'list', '--limit', '5', '--cursor', String(first['next_cursor'])],
  ]);
  const newest = await at.document(['sessions', 'messages', id, '--limit', '1']);
  const older = await at.document([
    ...['sessions', 'messages', id, '--limit', '5', '--cursor', String(newest['next_cursor'])],
  ]);

  expect([...ids(first), ...ids(rest)].sort()).toEqual(['branch', id].sort());
  expect(rest['next_cursor']).toBeNull();
  expect([roles(older), roles(newest)]).toEqual([['user', 'tool'], ['assistant']]);
  expect(older['next_cursor']).toBeNull();
});

function roles({ messages }: Document): string[] {
  return (messages as readonly { readonly role: string }[]).map(({ role }) => role);
}

test.each(WAYS)('reads as text: %s', async (via) => {
  const opened = await openConversation(via);
  ({ at } = opened);
  const { id } = opened;

  const listed = await at.text(['sessions', 'list']);
  const shown = await at.text(['sessions', 'show', id]);
  const said = await at.text(['sessions', 'messages', id]);
  const closed = await at.text(['sessions', 'close', id]);

  expect(listed).toEqual({
    code: 0,
    stdout: `${id}  <time>  agent_default  http/ana/den  3  what time is it?\n`,
    stderr: '',
  });
  expect(shown.stdout).toBe(
    `session    ${id}\ntitle      what time is it?\nagent      agent_default\nchannel    http\n` +
      'user       ana\nroom       den\nmessages   3\nexchanges  1\ncreated    <time>\nupdated    <time>\n',
  );
  expect(said.stdout).toMatch(
    /^user {2}<time>\nwhat time is it\?\n\ntool {2}<time>\ntime\.now ok: .+\n\nassistant {2}<time>\n.+\n$/s,
  );
  expect(closed.stdout).toBe(`session ${id} is closed\n`);
});

test.each(WAYS)('a session that is not there is not found by any verb: %s', async (via) => {
  at = await openWay(via);

  for (const verb of ['show', 'messages', 'close', 'compact', 'fork']) {
    expect(await at.document(['sessions', verb, 'absent'])).toEqual({
      ...common(`sessions ${verb}`, 1),
      ...notFound('session', 'absent', LIST_HINT),
    });
  }
  if (via === 'local') expect(await readdir(at.root.path)).toEqual([]);
});

test.each([
  [['show', '../x'], '"../x" is not the id of a session'],
  [['fork', 'a', '--id', 'b c'], '"b c" is not the id of a session'],
  [['fork', 'a', '--through-exchange', '-1'], /^option --through-exchange needs a value/],
  [['messages', 'a', '--limit', '0'], /^option --limit must be a whole number from 1 to 1000/],
  [['list', '--agent', 'a/b'], '"a/b" is not an id, slug or name of an agent'],
  [['close'], 'argument SESSION is missing'],
] as const)('refuses sessions %j', async (args, message) => {
  at = await openWay('local');

  const value = await at.document(['sessions', ...args]);

  const said = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(value).toMatchObject({ exit_code: 1, error: { kind: 'parse', message: said } });
});
