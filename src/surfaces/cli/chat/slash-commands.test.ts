import { expect, test } from 'vitest';
import { completeInput, parseInput, SLASH_COMMANDS } from './slash-commands.ts';

test('the commands people expect are there', () => {
  expect(SLASH_COMMANDS.map(({ name }) => name)).toEqual([
    '/help',
    '/new',
    '/sessions',
    '/resume',
    '/agents',
    '/agent',
    '/model',
    '/tools',
    '/cost',
    '/compact',
    '/approve',
    '/deny',
    '/exit',
  ]);
});

test.each([
  ['hello', { kind: 'message' }],
  ['/etc/hosts has two lines', { kind: 'message' }],
  ['/tool time.now {}', { kind: 'message' }],
  [' /new', { kind: 'message' }],
  ['/nwe', { kind: 'unknown', word: '/nwe' }],
  ['/new conversation', { kind: 'usage', usage: '/new' }],
])('%j is %j', (text, parsed) => {
  expect(parseInput(text)).toEqual(parsed);
});

test('commands are found in any case and by their other names', () => {
  expect(parseInput('/QUIT')).toMatchObject({ kind: 'command', command: { name: '/exit' } });
  expect(parseInput('/resume  session_1 ')).toMatchObject({
    command: { name: '/resume' },
    argument: 'session_1',
  });
});

test('Tab completes as far as it is clear', () => {
  const known = { sessions: ['session_ab', 'session_ac'], agents: ['agent_default'] };
  const complete = (text: string) => completeInput(text, known);

  expect(complete('/ses')).toEqual({ text: '/sessions ', options: ['/sessions'] });
  expect(complete('/ag')).toEqual({ text: '/agent', options: ['/agents', '/agent'] });
  expect(complete('/resume s')).toEqual({ text: '/resume session_a', options: known.sessions });
  expect(complete('/agent ')).toEqual({ text: '/agent agent_default', options: known.agents });
  expect(complete('/zz')).toBeUndefined();
  expect(complete('hello')).toBeUndefined();
});
