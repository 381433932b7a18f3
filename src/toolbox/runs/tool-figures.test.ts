import { expect, test } from 'vitest';
import { createToolTally } from './tool-figures.ts';

test('adds up calls, errors and durations by tool', () => {
  const tally = createToolTally();

  tally.add([
    { tool: 'fs.read', error: '', durationMs: 10 },
    { tool: 'code.search', error: 'timeout: too slow', durationMs: 500 },
  ]);
  tally.add([{ tool: 'fs.read', error: 'not_found: gone', durationMs: 25 }]);

  expect(tally.size).toBe(3);
  expect(tally.figures()).toEqual([
    { tool: 'code.search', calls: 1, errors: 1, avg_duration_ms: 500, max_duration_ms: 500 },
    { tool: 'fs.read', calls: 2, errors: 1, avg_duration_ms: 18, max_duration_ms: 25 },
  ]);
});
