import { expect, test } from 'vitest';
import type { RunEvent } from '../../../api/use-run-events.ts';
import { findForkPoints, pointBefore } from './fork-points.ts';

const events = (
  [
    ['run.created', { message: 'go' }],
    ['run.started', {}],
    ['model.requested', { turn: 1 }],
    ['model.completed', { turn: 1, tool_calls: [{ id: 'a' }, { id: 'b' }] }],
    ['tool.call', { tool_call_id: 'a' }],
    ['tool.result', { tool_call_id: 'a' }],
    ['tool.result', { tool_call_id: 'somebody-elses', origin: 'tools_execute' }],
    ['tool.call', { tool_call_id: 'b' }],
    ['tool.result', { tool_call_id: 'b' }],
    ['model.requested', { turn: 2 }],
    ['model.completed', { turn: 2, tool_calls: [] }],
    ['run.completed', {}],
  ] as const
).map(([event_type, payload], at) => ({ event_type, payload, seq: at + 1 }) as unknown as RunEvent);

test('offers only what no call stands open at', () => {
  expect(findForkPoints(events)).toEqual([
    { seq: 1, label: 'The beginning', needsMessage: false },
    { seq: 9, label: 'After the calls of turn 1', needsMessage: false },
    { seq: 11, label: 'After the answer of turn 2', needsMessage: true },
  ]);
});

test('finds the place to go on from at or before an event', () => {
  const points = findForkPoints(events);

  expect(pointBefore(points, 6)?.seq).toBe(1);
  expect(pointBefore(points, 9)?.seq).toBe(9);
  expect(pointBefore(points, 10)?.seq).toBe(9);
});
