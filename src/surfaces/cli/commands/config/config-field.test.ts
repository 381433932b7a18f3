import { expect, test } from 'vitest';
import { findValue, parseField, parseValue, showField, toPatch } from './config-field.ts';

test.each([
  ['server', ['server']],
  ['server.port', ['server', 'port']],
  ['prices.openai/o3.input_per_million', ['prices', 'openai/o3', 'input_per_million']],
  ['prices["openai/gpt-4.1"].input_per_million', ['prices', 'openai/gpt-4.1', 'input_per_million']],
  ['mcpServers["a \\"b\\""]', ['mcpServers', 'a "b"']],
  ['["a.b"].c', ['a.b', 'c']],
])('reads %s, and shows it the same way', (text, path) => {
  const parsed = parseField(text, 'config get');

  expect(parsed).toEqual(path);
  expect(showField(parsed)).toBe(text);
});

test.each([
  '',
  '.',
  '.server',
  'server.',
  'server..port',
  'server[port]',
  'server["port"',
  'a b',
  '[""]',
  'x'.repeat(513),
])('refuses %j', (text) => {
  const parsing = () => parseField(text, 'config get');

  expect(parsing).toThrow(/ is not the path of a field$/);
});

test('finds own members only', () => {
  const document = { server: { port: 1 } };

  expect(findValue(document, ['server', 'port'])).toBe(1);
  expect(findValue(document, ['server', 'port', 'x'])).toBeUndefined();
  expect(findValue(document, ['__proto__'])).toBeUndefined();
  expect(findValue(document, ['server', 'toString'])).toBeUndefined();
});

test.each([
  ['true', true],
  ['8080', 8080],
  ['"8080"', '8080'],
  ['["a"]', ['a']],
  ['0.0.0.0', '0.0.0.0'],
  ['openai/gpt-5', 'openai/gpt-5'],
])('reads the value %s', (text, value) => {
  expect(parseValue(text)).toEqual(value);
});

test('an object replaces the one before whole, except for a key that was never shown', () => {
  const document = {
    prices: { a: { input: 1 }, b: { input: 2 } },
    providers: { openai: { api_key: '', base_url: 'http://one' } },
  };

  expect(toPatch(document, ['prices'], { b: { output: 3 } })).toEqual({
    prices: { a: null, b: { input: null, output: 3 } },
  });
  expect(toPatch(document, ['providers', 'openai'], {})).toEqual({
    providers: { openai: { base_url: null } },
  });
  expect(toPatch(document, ['providers', 'openai', 'api_key'], null)).toEqual({
    providers: { openai: { api_key: null } },
  });
});
