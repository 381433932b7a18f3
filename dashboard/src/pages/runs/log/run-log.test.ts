import { expect, test } from 'vitest';
import type { RunEvent } from '../../../api/use-run-events.ts';
import { toLog, toPlainText } from './run-log.ts';

const BEGIN = Date.parse('2026-02-15T00:00:00.000Z');

const events = (
  [
    [0, 'run.created', { message: 'Tidy up' }],
    [1, 'run.started', {}],
    [2, 'model.requested', { turn: 1 }],
    [3, 'model.delta', { turn: 1, text: 'I ' }],
    [
      1_500,
      'model.completed',
      { turn: 1, text: 'I look.', tool_calls: [{ id: 'a' }], duration_ms: 1_400 },
    ],
    [1_500, 'tool.call', { tool: 'fs.list', input: { path: '.' } }],
    [
      1_510,
      'tool.result',
      { tool: 'fs.list', ok: true, error: null, summary: '2 entries', duration_ms: 8 },
    ],
    [
      1_520,
      'policy.decision',
      { decision: 'ask', approval_id: 'a1', tool: 'fs.write', message: 'writes' },
    ],
    [
      9_000,
      'policy.decision',
      {
        decision: 'deny',
        approval_id: 'a1',
        tool: 'fs.write',
        status: 'denied',
        by: 'operator',
        note: 'no',
      },
    ],
    [
      9_100,
      'run.failed',
      { status: 'failed', output: '', error: { code: 'timeout', message: 'too long' } },
    ],
  ] as const
).map(
  ([atMs, event_type, payload], at) =>
    ({
      event_type,
      payload,
      seq: at + 1,
      ts: new Date(BEGIN + atMs).toISOString(),
    }) as unknown as RunEvent,
);

test('reads from top to bottom, without the pieces', () => {
  expect(toLog(events).map(({ who, title, text, tone }) => [who, title, text, tone])).toEqual([
    ['user', 'Asked', 'Tidy up', 'plain'],
    ['model', 'Says, and wants 1 call (turn 1, 1.4 s)', 'I look.', 'plain'],
    ['tool', 'Calls fs.list', '{"path":"."}', 'plain'],
    ['tool', 'fs.list is done (8 ms)', '2 entries', 'ok'],
    ['person', 'Asks a person about fs.write', 'writes', 'wait'],
    ['person', 'fs.write: denied by operator', 'no', 'bad'],
    ['runtime', 'Ended: failed (timeout: too long)', '', 'bad'],
  ]);
});

test('can be taken along as text', () => {
  expect(toPlainText(toLog(events.slice(0, 6)))).toBe(
    [
      '+0.000 s  Asked',
      '    Tidy up',
      '+1.500 s  Says, and wants 1 call (turn 1, 1.4 s)',
      '    I look.',
      '+1.500 s  Calls fs.list',
      '    {"path":"."}',
    ].join('\n'),
  );
});
