import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { common, normalize } from '../cli/claw.ts';
import { ENDED, openTerminalRoot, say, type TerminalRoot } from './terminal-root.ts';

let root: TerminalRoot;

beforeEach(async () => {
  root = await openTerminalRoot();
});

afterEach(() => root.dispose());

const ESCAPE = '\u001b';
const JSON_FORMAT = ['--output-format', 'json'];

test('a text of several lines is typed with a backslash or quotes, or pasted', async () => {
  const script = await root.script([{ text: 'one.' }, { text: 'two.' }, { text: 'three.' }]);
  const terminal = await root.open(['chat'], script);
  await terminal.saw('›');

  await say(terminal, 'first \\');
  await terminal.saw('› first\n…');
  await say(terminal, 'second');
  await terminal.saw(/\none\./);
  await say(terminal, '"""');
  await say(terminal, 'this is');
  await say(terminal, 'quoted"""');
  await terminal.saw(/\ntwo\./);
  await terminal.paste('pasted\nlines');
  await terminal.saw('› pasted\n… lines');
  await terminal.press('Enter');
  await terminal.saw(/\nthree\./);

  expect(await root.messages()).toEqual(['first \nsecond', 'this is\nquoted', 'pasted\nlines']);
});

test('Tab completes commands and ids, and Up brings back what was typed, also after a restart', async () => {
  const script = await root.script([{ text: 'hello.' }]);
  const first = await root.open(['chat'], script);
  await first.saw('›');
  await say(first, 'good morning');
  await first.saw('hello.');
  await first.saw('tokens in');
  await first.type('/ses');
  await first.press('Tab');
  await first.saw('› /sessions');
  await first.press('C-u');
  await first.type('/resume s');
  await first.press('Tab');
  const completed = await first.saw(/› \/resume session_\w{26}/);
  await first.press('C-u', 'C-d');
  await first.saw(ENDED);

  const second = await root.open(['chat'], script);
  await second.saw(/hello\.\n›/);
  await second.press('Up');
  await second.saw('› good morning\n\n');

  expect(completed).toContain('session_');
  const file = join(root.path, '.claw/chat-history');
  expect(await readFile(file, 'utf8')).toBe('"good morning"\n');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a dumb terminal gets text and nothing but text', async () => {
  const script = await root.script([
    { text: '**looking**', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] },
    { text: 'It is empty.' },
  ]);
  const env = { ...script.env, TERM: 'dumb' };
  const terminal = await root.open(['chat'], { env });
  await terminal.sawRaw('› ');

  await say(terminal, 'look');
  await terminal.saw('tokens in');
  await terminal.press('C-d');
  const raw = await terminal.sawRaw('tokens in');

  expect(raw).not.toContain(ESCAPE);
  expect(raw.replace(/\r/g, '')).toMatch(
    /› look\n\*\*looking\*\*\nfs\.list \{"path":"\."\}\n• fs\.list ok, .*\nIt is empty\.\n/,
  );
  await terminal.saw(ENDED);
});

test('without colours the text stays as it was written, and nothing of it gets at the terminal', async () => {
  const script = await root.script([
    { text: `**bold**${ESCAPE}]0;owned\u0007 and ${ESCAPE}[2Jmore` },
  ]);
  const env = { ...script.env, NO_COLOR: '1' };
  const terminal = await root.open(['chat', 'go'], { env });

  await terminal.saw('**bold**\ufffd]0;owned\ufffd and \ufffd[2Jmore');
  const raw = await terminal.sawRaw('tokens in');

  expect(raw).not.toContain(`${ESCAPE}[2J`);
  expect(raw).not.toContain(`${ESCAPE}]0;`);
  expect(raw.split(`${ESCAPE}[`).filter((rest) => /^\d+m/.test(rest))).toEqual([]);
});

test('a narrow window breaks rows between words', async () => {
  const script = await root.script([{ text: 'seven words that do not fit in' }]);
  const terminal = await root.open(['chat', 'go'], { ...script, columns: 20 });

  const shown = await terminal.saw('fit in');

  expect(shown).toContain('seven words that do\nnot fit in\n');
});

test('claw alone is a chat on a terminal, and answers what a pipe brings', async () => {
  const script = await root.script([{ text: 'You said {{message}}.' }]);
  const terminal = await root.open([], script);
  await terminal.saw('/help lists commands');
  await say(terminal, '/exit');
  await terminal.saw(ENDED);

  const piped = await root.claw([], { ...script, input: 'hello' });
  const json = await root.claw(['--output-format', 'json'], { ...script, input: 'hello' });

  expect(piped).toMatchObject({ code: 0, stdout: 'You said hello.\n' });
  expect(normalize(json.stdout, root.path)).toMatchObject({
    ...common('ask', 0),
    output: 'You said hello.',
  });
});

test('in a pipe a chat is one message of the conversation and its answer', async () => {
  const script = await root.script([{ text: 'first answer' }, { text: 'second answer' }]);

  const first = await root.claw(['chat', 'one'], script);
  const second = await root.claw(['chat', '--output-format', 'json'], { ...script, input: 'two' });
  const fresh = await root.claw(['chat', '--new', 'three'], script);

  expect(first).toMatchObject({ code: 0, stdout: 'first answer\n', stderr: '' });
  const document = normalize(second.stdout, root.path);
  expect(document).toEqual({
    ...common('chat', 0),
    run_id: '<run>',
    session_id: expect.stringMatching(/^session_\w{26}$/),
    agent_id: 'agent_default',
    status: 'completed',
    stop_reason: 'completed',
    output: 'second answer',
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: null },
    tool_calls: 0,
    provider: 'scripted',
    model: expect.any(String),
    duration_ms: '<ms>',
    via: 'local',
  });
  expect(fresh).toMatchObject({ code: 0, stdout: 'first answer\n' });
});

test('a conversation or an agent that is not there is said to be missing, and nothing is created', async () => {
  const session = await root.claw(['chat', 'hi', '--session', 'session_absent', ...JSON_FORMAT]);
  const agent = await root.claw(['chat', 'hi', '--agent', 'agent_absent', ...JSON_FORMAT]);
  const both = await root.claw(['chat', 'hi', '--session', 'session_1', '--new', ...JSON_FORMAT]);

  expect(normalize(session.stdout, root.path)).toMatchObject({
    ...common('chat', 1),
    name: 'session_absent',
    found: false,
    error: { kind: 'session_not_found' },
  });
  expect(normalize(agent.stdout, root.path)).toMatchObject({
    name: 'agent_absent',
    error: { kind: 'agent_not_found' },
  });
  expect(normalize(both.stdout, root.path)).toMatchObject({
    error: { kind: 'parse', target: 'chat' },
  });
  expect(await readdir(root.path)).toEqual([]);
});
