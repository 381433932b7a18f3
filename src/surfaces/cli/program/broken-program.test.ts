import { expect, test } from 'vitest';
import { describeBrokenProgram } from './broken-program.ts';

const thrown = new Error("Cannot find module './chunks/x.cjs'");

test('people read what is wrong on standard error', () => {
  const said = describeBrokenProgram({ argv: ['json'], outputFormat: undefined, thrown });

  expect(said.stdout).toBe('');
  expect(said.stderr).toMatch(
    /^error: the program could not be loaded\nhint: .*\nError: Cannot find module/,
  );
});

test.each([
  [['runs', 'list', '--output-format', 'json'], undefined],
  [['--output-format=json', 'runs', 'list'], undefined],
  [['runs', 'list'], 'JSON'],
])('scripts get a document: %j, %s', (argv, outputFormat) => {
  const { stdout, stderr } = describeBrokenProgram({ argv, outputFormat, thrown });

  expect(stderr).toBe('');
  expect(stdout).not.toContain('chunks');
  expect(JSON.parse(stdout)).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    command: 'runs',
    exit_code: 1,
    output_format: 'json',
    schema_version: '2.0',
    error: {
      kind: 'unknown',
      operation: 'load_program',
      target: process.argv[1],
      retryable: false,
      message: 'the program could not be loaded',
      hint: 'install it again: a part of it is missing or damaged',
    },
  });
});
