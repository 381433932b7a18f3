import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { callTool, inputErrors } from '../test-workspace.ts';
import { createTimeTool } from './time-now.ts';

const tool = createTimeTool(new ManualClock(Date.UTC(2026, 1, 15, 12, 30, 5, 987)));

test('tells the time in UTC to the second', async () => {
  const now = await callTool(tool, {});

  expect(now).toEqual({ rfc3339: '2026-02-15T12:30:05Z', unix: 1_771_158_605 });
  expect(tool.summarize({}, now)).toBe('{"rfc3339":"2026-02-15T12:30:05Z","unix":1771158605}');
});

test('takes no arguments', () => {
  expect(inputErrors(tool, { zone: 'UTC' })).toEqual(['Unrecognized key: "zone"']);
});
