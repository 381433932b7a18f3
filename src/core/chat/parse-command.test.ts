import { expect, test } from 'vitest';
import { type ChatCommand, parseCommand } from './parse-command.ts';

test.each<[message: string, command: ChatCommand]>([
  ['/new', { name: 'new' }],
  ['  /NEW \n', { name: 'new' }],
  ['/resume session_1', { name: 'resume', sessionId: 'session_1' }],
  ['/Resume\tSession_A', { name: 'resume', sessionId: 'Session_A' }],
  ['/chats', { name: 'chats' }],
  ['/sessions', { name: 'chats' }],
  ['/agents', { name: 'agents' }],
  ['/agent', { name: 'agent', agentId: undefined }],
  ['/agent helper', { name: 'agent', agentId: 'helper' }],
  ['/help', { name: 'help' }],
])('reads %j as a command', (message, command) => {
  expect(parseCommand(message)).toEqual(command);
});

test.each([
  ['/new please', '/new'],
  ['/resume', '/resume <session id>'],
  ['/resume a b', '/resume <session id>'],
  ['/chats all', '/chats'],
  ['/agent a b', '/agent [<agent id>]'],
  [`/help ${'x '.repeat(100_000)}`, '/help'],
])('answers %.20j with its usage', (message, usage) => {
  expect(parseCommand(message)).toEqual({ name: 'usage', usage });
});

test.each([
  '/resumeX session_1',
  '/newest',
  '/new,',
  '/tool time.now {}',
  '/unknown',
  '/',
  '//new',
  'please /new',
  'hello',
  '/constructor',
])('takes %j for an ordinary message', (message) => {
  expect(parseCommand(message)).toBeUndefined();
});
