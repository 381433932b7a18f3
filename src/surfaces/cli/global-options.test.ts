import { expect, test } from 'vitest';
import { findFormat } from './global-options.ts';

test('the format is found wherever it stands, and the last one counts', () => {
  expect(findFormat(['runs', 'list'])).toBe('text');
  expect(findFormat(['--output-format', 'json', 'runs'])).toBe('json');
  expect(findFormat(['runs', 'list', '--output-format=json'])).toBe('json');
  expect(findFormat(['--output-format=json', '--output-format', 'text'])).toBe('text');
  expect(findFormat(['ask', '--nonsense', '--output-format', 'json', '--more'])).toBe('json');
});

test('the environment counts unless a flag says otherwise', () => {
  expect(findFormat([], 'json')).toBe('json');
  expect(findFormat([], 'JSON')).toBe('json');
  expect(findFormat([], 'yaml')).toBe('text');
  expect(findFormat(['--output-format=text'], 'json')).toBe('text');
});

test('a message that talks about the flag does not set it', () => {
  expect(findFormat(['ask', '--', '--output-format', 'json'])).toBe('text');
});
