import { expect, test } from 'vitest';
import type { Count } from './counts.ts';
import { createReadSummary, summarize } from './summary.ts';

const event = (key: string, times: number): Count => ({ kind: 'security_event', key, times });
const fault = (key: string, times: number): Count => ({ kind: 'error_taxonomy', key, times });

function summaryOf(...counts: Count[]) {
  const { alertStatus, alerts } = summarize({ counts, nowMs: 0, windowMinutes: 60 });
  return [alertStatus, alerts.map(({ key, times, threshold }) => [key, times, threshold])];
}

test.each<[name: string, counts: Count[], expected: unknown]>([
  ['nothing', [], ['nominal', []]],
  ['four refused tokens', [event('auth_denied', 4)], ['nominal', []]],
  ['five refused tokens', [event('auth_denied', 5)], ['watch', [['auth_denied', 5, 5]]]],
  [
    'three refusals of global memory',
    [event('global_memory_access_denied', 3)],
    ['watch', [['global_memory_access_denied', 3, 3]]],
  ],
  ['three throttled requests', [fault('throttle', 3)], ['watch', [['throttle', 3, 3]]]],
  ['three failed services', [fault('dependency', 3)], ['watch', [['dependency', 3, 3]]]],
  ['four errors of a harmless kind', [fault('validation', 4)], ['nominal', []]],
  ['five errors of a harmless kind', [fault('validation', 5)], ['watch', []]],
  ['five security events', [event('project_budget_overrun', 5)], ['watch', []]],
  [
    'two alerts',
    [event('auth_denied', 9), fault('dependency', 4)],
    [
      'critical',
      [
        ['auth_denied', 9, 5],
        ['dependency', 4, 3],
      ],
    ],
  ],
  ['a taxonomy with the name of an event', [fault('auth_denied', 4)], ['nominal', []]],
])('judges %s', (_name, counts, expected) => {
  expect(summaryOf(...counts)).toEqual(expected);
});

test('adds up, most often first and then by name', () => {
  const counts = [
    fault('policy', 2),
    fault('auth', 2),
    event('auth_denied', 2),
    fault('unknown', 3),
  ];

  expect(summarize({ counts, nowMs: 0, windowMinutes: 60 })).toMatchObject({
    totalSecurityEvents: 2,
    totalErrors: 7,
    errorTaxonomies: [fault('unknown', 3), fault('auth', 2), fault('policy', 2)],
  });
});

test.each([
  [0.2, 1],
  [1, 1],
  [59.9, 59],
  [1440, 1440],
  [99_999, 1440],
])('looks back %s minutes as %s', async (asked, windowMinutes) => {
  const since: number[] = [];
  const store = {
    async sum(sinceMs: number) {
      since.push(sinceMs);
      return [];
    },
  };
  const read = createReadSummary({ store, clock: { nowMs: () => 1e9 } });

  expect(await read(asked)).toMatchObject({ windowMinutes });
  expect(since).toEqual([1e9 - windowMinutes * 60_000]);
});
