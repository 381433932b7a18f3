import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { type Aim, spellUrl } from './aim.ts';
import { reachCall } from './judge-where.ts';

const coverCall = async (...call: Parameters<typeof reachCall>) =>
  (await reachCall(...call)).coverage;

const nothing: JsonObject = {};

/** A workspace in which `link` leads to `secret`. */
async function respell(path: string): Promise<string> {
  const bare = path.replace(/^\/ws\//, '').replace(/^link/, 'secret');
  return bare.replace(/\/+$/, '') || '.';
}

function at(path: string, kind: 'path' | 'tree' = 'path', field = 'path'): Aim {
  return { kind, field, path, respell };
}

function url(text: string): Aim {
  return { kind: 'url', field: 'url', url: spellUrl(text) ?? text };
}

test.each([
  ['secret/', 'secret', 'path', 'all'],
  ['secret', 'secret', 'path', 'all'],
  ['secret/', 'secret/a/b', 'path', 'all'],
  ['/ws/secret/', 'secret/a', 'path', 'all'],
  ['link/', 'secret/a', 'path', 'all'],
  ['.', 'anything', 'path', 'all'],
  ['', 'anything', 'path', 'all'],
  ['secret/', 'secrets', 'path', 'none'],
  // The beginning of a name is enough to refuse, and not to allow.
  ['secret', 'secrets', 'path', 'some'],
  ['secret/', '.', 'path', 'none'],
  ['secret/', '.', 'tree', 'some'],
  ['a/secret/', 'a', 'tree', 'some'],
  ['a/secret/', 'b', 'tree', 'none'],
] as const)('a rule about %j covers %j as a %s: %s', async (prefix, path, kind, expected) => {
  expect(await coverCall({ field: 'path', prefix }, nothing, [at(path, kind)])).toBe(expected);
});

test('every path argument counts under the name path, and each under its own', async () => {
  const move = [at('secret/a', 'tree', 'src'), at('public/a', 'path', 'dst')];
  const cover = (field: string, prefix: string) => coverCall({ field, prefix }, nothing, move);

  expect(await cover('path', 'secret/')).toBe('some');
  expect(await cover('path', 'public/')).toBe('some');
  expect(await cover('path', '.')).toBe('all');
  expect(await cover('src', 'secret/')).toBe('all');
  expect(await cover('dst', 'secret/')).toBe('none');
});

const SAME_URL = [
  'http://127.0.0.1/private/a',
  'HTTP://127.0.0.1/private/a',
  'http://127.1/private/a',
  'http://0x7f.1/private/a',
  'http://2130706433/private/a',
  'http://127.0.0.1:80/private/a',
  'http://127.0.0.1/%70rivate/a',
  'http://127.0.0.1/x/../private/./a',
  'http://127.0.0.1/x/%2e%2e/private/a',
  'http://user@127.0.0.1/private/a#part',
];

test.each(SAME_URL)('%s is judged as what it means', async (text) => {
  const cover = (prefix: string) => coverCall({ field: 'url', prefix }, nothing, [url(text)]);

  for (const prefix of [
    'http://127.0.0.1',
    'http://127.1/private/',
    'HTTP://127.0.0.1/%70rivate',
  ]) {
    expect([prefix, await cover(prefix)]).toEqual([prefix, 'all']);
  }
  expect(await cover('http://127.0.0.1/priv')).toBe('some');
  expect(await cover('http://127.0.0.1/public')).toBe('none');
  expect(await cover('https://127.0.0.1/')).toBe('none');
});

test('a rule about a host never allows one that only begins like it', async () => {
  const where = { field: 'url', prefix: 'https://api.example.com' };

  expect(await coverCall(where, nothing, [url('https://API.example.com./x')])).toBe('all');
  expect(await coverCall(where, nothing, [url('https://api.example.com.evil.org/')])).toBe('some');
});

test('a rule about a command speaks about it wherever on a line it stands', async () => {
  const cover = (line: string) => {
    const aim: Aim = { kind: 'command', field: 'command', argv: ['bash', '-lc', line] };
    return coverCall({ field: 'command', prefix: 'git push' }, nothing, [aim]);
  };

  expect(await cover('git push origin')).toBe('all');
  expect(await cover('true; git  push')).toBe('some');
  expect(await cover('git -C x push')).toBe('some');
  expect(await cover('ls')).toBe('none');
});

test('arguments that nobody explains are compared as they are written, and as paths', async () => {
  const where = { field: 'file', prefix: 'secret/' };

  expect(await coverCall(where, { file: './secret//a' }, [])).toBe('all');
  expect(await coverCall(where, { file: 'secrets' }, [])).toBe('none');
  expect(await coverCall(where, { file: 3 }, [])).toBe('none');
});
