import { expect, test } from 'vitest';
import { DEFAULT_RELIABILITY } from '../core/reliability/settings.ts';
import { toSnakeCase } from './schema/to-snake-case.ts';
import { toReliabilityOverrides } from './to-reliability-overrides.ts';

const FILE = '/srv/.openclawssy/config.json';

test('names become those of the reliability layer, by pattern', () => {
  const overrides = toReliabilityOverrides(
    {
      'http.request': {
        breaker: { failure_rate: 0.25, half_open_concurrency: 2 },
        retry: { max_retries: 0 },
      },
      'mcp__*': { idempotency: { duplicates: 'fail_fast', success_ttl_ms: 1000 } },
      'fs.read': {},
    },
    FILE,
  );

  expect([...overrides]).toEqual([
    [
      'http.request',
      { breaker: { failureRate: 0.25, halfOpenConcurrency: 2 }, retry: { maxRetries: 0 } },
    ],
    ['mcp__*', { idempotency: { duplicates: 'fail_fast', successTtlMs: 1000 } }],
    ['fs.read', {}],
  ]);
});

test('every setting of the layer can be named', () => {
  const { breaker, retry, idempotency } = DEFAULT_RELIABILITY;
  const spell = (group: object) =>
    Object.fromEntries(Object.entries(group).map(([name, value]) => [toSnakeCase(name), value]));

  const overrides = toReliabilityOverrides(
    { '*': { breaker: spell(breaker), retry: spell(retry), idempotency: spell(idempotency) } },
    FILE,
  );

  expect(overrides.get('*')).toEqual({ breaker, retry, idempotency });
});

test.each([
  [
    { breaker: { failureThreshold: 3 } },
    'breaker.failureThreshold is not a known field; to fix: did you mean failure_threshold?',
  ],
  [
    { retry: { speed: 3 } },
    'retry.speed is not a known field; to fix: remove it, or use one of max_retries, initial_delay_ms, max_delay_ms, deadline_ms',
  ],
  [
    { retry: { max_retries: 101 } },
    'retry.max_retries is refused: Too big: expected number to be <=100 (it is 101); to fix: correct or remove it',
  ],
  [
    { breaker: { reset_timeout_ms: 'soon' } },
    'breaker.reset_timeout_ms is refused: Invalid input: expected number, received string (it is "soon"); to fix: correct or remove it',
  ],
  [
    { idempotency: { duplicates: 'both' } },
    'idempotency.duplicates is refused: Invalid option: expected one of "wait"|"fail_fast" (it is "both"); to fix: correct or remove it',
  ],
])('%j is refused with file, field and fix', (groups, expected) => {
  expect(() => toReliabilityOverrides({ 'http.*': groups }, FILE)).toThrow(
    expect.objectContaining({
      code: 'config_invalid',
      message: `config file ${FILE}: tool_reliability.overrides.http.*.${expected}`,
      details: expect.objectContaining({
        file: FILE,
        field: `tool_reliability.overrides.http.*.${expected.split(' ')[0]}`,
      }),
    }),
  );
});
