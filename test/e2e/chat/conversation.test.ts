import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENDED, openTerminalRoot, say, type TerminalRoot } from './terminal-root.ts';

let root: TerminalRoot;

beforeEach(async () => {
  root = await openTerminalRoot();
});

afterEach(() => root.dispose());

/** Every behaviour holds with a server and without one. */
const PLACES = ['local', 'server'] as const;

/** Long enough that its beginning is shown: the end of a text may be half a secret and is held back. */
const OPENING = 'A first sentence that is long enough. '.repeat(8).trim();

for (const via of PLACES) {
  test(`an answer appears as it is written, with Markdown and the tools it took (${via})`, async () => {
    const script = await root.script([
      {
        text: ['# Plan\n\nWe do **this** first:\n\n- one\n', `${OPENING}\n`, 'The end.'],
        deltaDelayMs: 700,
      },
      { text: 'let me look', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] },
      { text: 'It is empty.', usage: { inputTokens: 7, outputTokens: 3 } },
    ]);
    if (via === 'server') await root.serve(script);
    const terminal = await root.open(['chat'], script);
    await terminal.saw('›');

    await say(terminal, 'make a plan');
    const early = await terminal.saw(
      /We do this first:\n[\s\S]*writing \d+\.\d s · Ctrl-C cancels/,
    );
    const late = await terminal.saw('The end.');
    await say(terminal, 'what is there?');
    const done = await terminal.saw('7 tokens in, 3 out');

    expect(early).not.toContain('The end.');
    expect(late).toMatch(/› make a plan\nPlan\n\nWe do this first:\n\n• one\nA first sentence/);
    expect(done).toMatch(
      /› what is there\?\nlet me look\n• fs\.list ok, .* \{"path":"\."\}\nIt is empty\.\n.*1 tool call,/,
    );
    await terminal.press('C-d');
    await terminal.saw(ENDED);
  });

  test(`a call that must be asked about is shown with what it would do and answered there (${via})`, async () => {
    const write = (content: string) => ({
      toolCalls: [{ tool: 'fs.write', input: { path: `${content}.txt`, content } }],
    });
    const script = await root.script([write('yes'), write('no'), { text: 'Done with both.' }]);
    await root.claw(['init']);
    const rules = JSON.stringify([{ tool: 'fs.write', decision: 'ask' }]);
    expect(await root.claw(['config', 'set', 'policy.rules', rules])).toMatchObject({ code: 0 });
    if (via === 'server') await root.serve(script);
    const terminal = await root.open(['chat'], script);
    await terminal.saw('›');

    await say(terminal, 'write');
    const asked = await terminal.saw('allow it? y/n/always ›');
    await say(terminal, 'y');
    await terminal.saw('+no');
    await say(terminal, 'n');
    const done = await terminal.saw(/Done with both\.\n.* tokens in/);

    expect(asked).toMatch(
      /may it use fs\.write\?\n {2}--- \/dev\/null\n {2}\+\+\+ b\/yes\.txt\n {2}@@ .* @@\n {2}\+yes\n/,
    );
    expect(asked).toContain('always: fs.write with path yes.txt');
    expect(done).toMatch(/approved: fs\.write\n• fs\.write ok/);
    expect(done).toMatch(/denied: fs\.write\n• fs\.write policy\.denied/);
    const workspace = join(root.path, 'workspace');
    expect(await readFile(join(workspace, 'yes.txt'), 'utf8')).toBe('yes');
    await expect(stat(join(workspace, 'no.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test(`Ctrl-C cancels the turn and the chat goes on (${via})`, async () => {
    const script = await root.script([{ text: OPENING, hang: true }]);
    if (via === 'server') await root.serve(script);
    const terminal = await root.open(['chat'], script);
    await terminal.saw('›');
    await say(terminal, 'wait for ever');
    await terminal.saw('A first sentence');

    await terminal.press('C-c');
    const cancelled = await terminal.saw(/\ncancelled\n/);
    await say(terminal, '/cost');
    await terminal.saw(/tokens out +at least 0/);

    expect(cancelled).not.toContain('failed');
    expect(await root.statuses()).toEqual(['cancelled']);
    await terminal.press('C-d');
    await terminal.saw(ENDED);
  });

  test(`/compact leaves the agent a summary of what was said (${via})`, async () => {
    // The model tells what it is shown first.
    const script = await root.script([{ text: 'I hear {{message}}' }]);
    if (via === 'server') await root.serve(script);
    const terminal = await root.open(['chat'], script);
    await terminal.saw('›');

    await say(terminal, '/compact');
    await terminal.saw('(nothing new to compact)');
    await say(terminal, 'apples');
    await terminal.saw(/I hear apples\n.*tokens in/);
    await say(terminal, '/compact');
    const compacted = await terminal.saw('#2 assistant: I hear apples');
    await say(terminal, 'pears');
    await terminal.saw(/› pears\nI hear Earlier in this conversation \(2 messages, shortened\):\n/);

    expect(compacted).toMatch(
      /2 messages folded; .*\nEarlier in this conversation \(2 messages, shortened\):\n#1 user: apples\n/,
    );
    await terminal.press('C-d');
    await terminal.saw(ENDED);
  });
}

test('a second Ctrl-C ends the chat, and its turn with it', async () => {
  const script = await root.script([{ text: OPENING, hang: true }]);
  const terminal = await root.open(['chat'], script);
  await terminal.saw('›');
  await say(terminal, 'wait for ever');
  await terminal.saw('A first sentence');

  await terminal.press('C-c', 'C-c');
  await terminal.saw(ENDED);

  expect(await root.statuses()).toEqual(['cancelled']);
});

test('a message while a turn runs is queued and answered behind it', async () => {
  const script = await root.script([
    { text: [OPENING, ' First is done.'], deltaDelayMs: 1_000 },
    { text: 'Second is done.' },
  ]);
  const terminal = await root.open(['chat'], script);
  await terminal.saw('›');

  await say(terminal, 'the first');
  await terminal.saw('A first sentence');
  await say(terminal, 'the second');
  const queued = await terminal.saw('queued: the second');
  const done = await terminal.saw('Second is done.');

  expect(queued).not.toContain('First is done.');
  expect(done).toMatch(
    /queued: the second\n[^›]*First\s+is\s+done\.\n.*\n› the second\nSecond is done\./,
  );
  expect(await root.messages()).toEqual(['the first', 'the second']);
});

test('an answer goes on without a word twice when the server is killed and started again', async () => {
  const text = [OPENING, ' Then the second part.', ' And the third part.'];
  const script = await root.script([{ text: OPENING, hang: true }]);
  const server = await root.serve(script);
  const terminal = await root.open(['chat'], script);
  await terminal.saw('through the server');
  await say(terminal, 'talk');
  await terminal.saw('A first sentence');

  server.child.kill('SIGKILL');
  await server.ended;
  await root.serve(await root.script([{ text }]));
  await terminal.saw('third part.');
  const done = await terminal.saw('tokens in');

  const flowing = done.replace(/\s+/g, ' ');
  expect(flowing).toContain(`› talk ${text.join('')} `);
});

test('/new and /resume move between conversations, which outlive the program', async () => {
  const script = await root.script([{ text: 'You said {{message}}.' }, { text: 'And more.' }]);
  const terminal = await root.open(['chat'], script);
  await terminal.saw('›');
  await say(terminal, 'apples');
  await terminal.saw('You said apples.');
  await terminal.saw('tokens in');

  await say(terminal, '/new');
  await terminal.saw('a new conversation begins');
  await say(terminal, 'pears');
  await terminal.saw('You said pears.');
  await say(terminal, '/sessions');
  await terminal.saw(/\* 1 {2}session_\w+ {2}pears\n {2}2 {2}session_\w+ {2}apples/);
  await say(terminal, '/resume 2');
  await terminal.saw(/conversation: apples .*\n› apples\nYou said apples\./);
  await say(terminal, 'go on');
  await terminal.saw('And more.');
  await terminal.press('C-d');
  await terminal.saw(ENDED);
  const again = await root.open([], script);
  const recalled = await again.saw(/› go on\nAnd more\./);

  expect(recalled).toContain('conversation: apples (4 messages');
});
