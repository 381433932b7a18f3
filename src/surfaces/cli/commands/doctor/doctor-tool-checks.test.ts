import { expect, test } from 'vitest';
import { checkSandbox } from './doctor-tool-checks.ts';

test('a sandbox that can not run a command is a failure with its fix', () => {
  const reason = "the program bwrap can't be run (ENOENT)";

  expect(checkSandbox('bwrap', { available: false, reason })).toEqual({
    status: 'fail',
    summary: `bwrap can't run a command: ${reason}`,
    fix: expect.stringContaining('apt install bubblewrap'),
  });
  expect(checkSandbox('docker', { available: false, reason: 'no daemon' })).toEqual({
    status: 'fail',
    summary: "docker can't run a command: no daemon",
    fix: expect.stringContaining('start Docker'),
  });
});

test('protections that are missing are a warning, and named', () => {
  const version = 'bubblewrap 0.6.1';
  const weaknesses = ['the size of /tmp is not limited', 'something else'];

  expect(checkSandbox('bwrap', { available: true, version, weaknesses })).toEqual({
    status: 'warn',
    summary: 'bubblewrap 0.6.1 runs commands, but the size of /tmp is not limited; something else',
    fix: expect.stringContaining('bubblewrap 0.8'),
  });
  expect(checkSandbox('bwrap', { available: true, version, weaknesses: [] })).toEqual({
    status: 'ok',
    summary: 'bubblewrap 0.6.1 runs commands',
  });
});
