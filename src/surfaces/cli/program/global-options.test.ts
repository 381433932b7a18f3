import { expect, test } from 'vitest';
import { findAskedOutput } from './global-options.ts';

const format = (argv: readonly string[], fromEnvironment?: string) =>
  findAskedOutput(argv, fromEnvironment).format;
const envelope = (...argv: string[]) => findAskedOutput(argv).envelope;

test('the format is found wherever it stands, and the last one counts', () => {
  expect(format(['runs', 'list'])).toBe('text');
  expect(format(['--output-format', 'json', 'runs'])).toBe('json');
  expect(format(['runs', 'list', '--output-format=json'])).toBe('json');
  expect(format(['--output-format=json', '--output-format', 'text'])).toBe('text');
  expect(format(['ask', '--nonsense', '--output-format', 'json', '--more'])).toBe('json');
});

test('the environment counts unless a flag says otherwise', () => {
  expect(format([], 'json')).toBe('json');
  expect(format([], 'JSON')).toBe('json');
  expect(format([], 'yaml')).toBe('text');
  expect(format(['--output-format=text'], 'json')).toBe('text');
});

test('a format that does not exist takes nothing back', () => {
  expect(format(['--output-format=yaml'], 'json')).toBe('json');
  expect(format(['--output-format=json', '--output-format', 'yaml'])).toBe('json');
  expect(format(['--output-format', 'yaml'])).toBe('text');
  expect(format(['--output-format'])).toBe('text');
});

test('a message that talks about the flags does not set them', () => {
  expect(findAskedOutput(['ask', '--', '--output-format', 'json', '--legacy-envelope'])).toEqual({
    format: 'text',
    envelope: '2.0',
  });
});

test('the version of the envelope is found wherever it stands, and the last one counts', () => {
  expect(envelope('runs', 'list')).toBe('2.0');
  expect(envelope('--envelope-version', '1.0', 'runs')).toBe('1.0');
  expect(envelope('runs', '--envelope-version=1.0')).toBe('1.0');
  expect(envelope('runs', '--legacy-envelope')).toBe('1.0');
  expect(envelope('--legacy-envelope', 'runs', '--envelope-version=2.0')).toBe('2.0');
  expect(envelope('--envelope-version=2.0', '--legacy-envelope')).toBe('1.0');
  expect(envelope('--legacy-envelope', '--envelope-version=3.0')).toBe('1.0');
});
