import { afterEach, expect, test, vi } from 'vitest';
import { readReliabilityFlag } from './environment.ts';

afterEach(() => vi.unstubAllEnvs());

test('the reliability switch is read anew each time', () => {
  vi.stubEnv('TOOL_RELIABILITY_ENABLED', undefined);
  const unset = readReliabilityFlag();
  vi.stubEnv('TOOL_RELIABILITY_ENABLED', ' false ');
  const off = readReliabilityFlag();
  vi.stubEnv('TOOL_RELIABILITY_ENABLED', ' ');
  const empty = readReliabilityFlag();

  expect([unset, off, empty]).toEqual([undefined, 'false', undefined]);
});
