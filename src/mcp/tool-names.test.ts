import { expect, test } from 'vitest';
import { toServerKey } from './server-config.ts';
import { nameTools } from './tool-names.ts';

test('names tools after their server, with what providers do not take replaced', () => {
  expect([...nameTools('weather', ['forecast', 'get alert', 'a.b/c', 'wörter'])]).toEqual([
    ['forecast', 'mcp__weather__forecast'],
    ['get alert', 'mcp__weather__get_alert'],
    ['a.b/c', 'mcp__weather__a_b_c'],
    ['wörter', 'mcp__weather__w_rter'],
  ]);
});

test('gives names that would meet to none of those that want them, in whatever order they come', () => {
  const names = nameTools('s', ['a.b', 'a_b', 'A_B', 'c']);
  const reversed = nameTools('s', ['c', 'A_B', 'a_b', 'a.b']);

  expect(new Set(names.values()).size).toBe(4);
  expect([...names.values()].slice(0, 3).every((name) => /_[0-9a-f]{8}$/.test(name))).toBe(true);
  expect(names.get('c')).toBe('mcp__s__c');
  expect(new Map([...reversed].reverse())).toEqual(names);
});

test('keeps every name within what providers take', () => {
  const key = 'k'.repeat(32);
  const long = Array.from({ length: 20 }, (_, index) => `${'x'.repeat(200)}${index}`);

  const names = [...nameTools(key, long).values()];

  expect(new Set(names).size).toBe(20);
  expect(names.every((name) => /^[A-Za-z0-9_-]{64}$/.test(name))).toBe(true);
});

test.each([
  ['a__b', 'a_b'],
  ['a_', 'a'],
  ['my server!', 'my_server'],
  ['__', ''],
])('makes of the server name %j a key that ends where it says', (name, key) => {
  expect(toServerKey(name)).toBe(key);
});
