import fc from 'fast-check';
import { expect, test } from 'vitest';
import { understandRequest } from './understand-request.ts';

const call = (tool: string, input: object) => ({ kind: 'call', tool, input });

test.each([
  ['list files', call('fs.list', { path: '.' })],
  ['Please list the files in src/core.', call('fs.list', { path: 'src/core' })],
  ['show me all files in the directory docs', call('fs.list', { path: 'docs' })],
  ['What files are there?', call('fs.list', { path: '.' })],
  ['what files are in ./notes?', call('fs.list', { path: './notes' })],
  ['ls', call('fs.list', { path: '.' })],
  ['ls notes/2026', call('fs.list', { path: 'notes/2026' })],
  ['read file README.md', call('fs.read', { path: 'README.md' })],
  ['Can you read the file notes/a.txt?', call('fs.read', { path: 'notes/a.txt' })],
  ['show me the contents of "my.txt"', call('fs.read', { path: 'my.txt' })],
  ['cat a.txt.', call('fs.read', { path: 'a.txt' })],
  ['read .env', call('fs.read', { path: '.env' })],
  ['search for "a.b(c)"', call('code.search', { pattern: 'a\\.b\\(c\\)' })],
  ['search for hello world in src', call('code.search', { pattern: 'hello world', path: 'src' })],
  ["grep 'x y' in the folder lib", call('code.search', { pattern: 'x y', path: 'lib' })],
  [
    'write "hello, world" to file out.txt',
    call('fs.write', { path: 'out.txt', content: 'hello, world' }),
  ],
  [
    "Please write 'a\nb' into notes/a.md.",
    call('fs.write', { path: 'notes/a.md', content: 'a\nb', create_parents: true }),
  ],
  ['create a file called x.txt with "one"', call('fs.write', { path: 'x.txt', content: 'one' })],
  ['write to x.txt: two\nlines', call('fs.write', { path: 'x.txt', content: 'two\nlines' })],
  ['what time is it?', call('time.now', {})],
  ["What's the date?", call('time.now', {})],
  [
    'remember that the key is under the mat',
    call('memory.write', { content: 'the key is under the mat' }),
  ],
  ['recall the key', call('memory.search', { query: 'the key' })],
  ['/tool fs.read {"path": "a } b"} please', call('fs.read', { path: 'a } b' })],
  ['do this: /tool time.now', call('time.now', {})],
  ['/tool fs.read {"path": ', { kind: 'malformed', tool: 'fs.read' }],
  ['Summarize repository status', { kind: 'unclear' }],
  ['hello', { kind: 'unclear' }],
  ['', { kind: 'unclear' }],
])('understands %j', (message, wish) => {
  expect(understandRequest(message)).toEqual(wish);
});

test('has an answer to any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const kinds = ['call', 'malformed', 'say', 'tools', 'help', 'unclear'];
      expect(kinds).toContain(understandRequest(text).kind);
    }),
  );
});

test.each([
  'find ',
  'search for a in ',
  'list files ',
  'read ',
  'write "',
  'what time',
  ' .',
  'ls ',
  '/tool a {',
  ', please',
  'remind me in 5 minutes ',
  'list all the my ',
  'in every 5 ',
])('takes bounded time over a message of nothing but %j', (piece) => {
  const startedAt = performance.now();

  understandRequest(`${piece.repeat(20_000)}\n@`);

  expect(performance.now() - startedAt).toBeLessThan(2000);
});
