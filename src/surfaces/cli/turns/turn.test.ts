import { expect, test } from 'vitest';
import type { RunDetail } from '../../../operations/runs/run-shapes.ts';
import { toTurnOutcome } from './turn.ts';

const RUN: RunDetail = {
  id: 'run_1',
  agent_id: 'agent_default',
  source: 'cli',
  status: 'completed',
  output: 'done',
  artifact_path: '',
  duration_ms: 0,
  tool_calls: 0,
  provider: '',
  model: '',
  message: 'go',
  stop_reason: 'completed',
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: null },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  last_seq: 3,
  trace: { tool_execution_results: [] },
};

const ended = (change: Partial<RunDetail>) => ({
  run: { ...RUN, ...change },
  stoppedBy: undefined,
});

test.each([
  ['completed', 'completed', 'completed', false],
  ['completed', 'loop_detected', 'completed', false],
  ['completed', 'needs_guidance', 'completed', false],
  ['cancelled', 'cancelled', 'cancelled', true],
  ['failed', 'timeout', 'timeout', false],
  ['failed', 'max_turns_reached', 'max_turns_reached', false],
  ['failed', 'max_budget_reached', 'max_budget_reached', false],
] as const)('a run that ended %s with %s is a turn that %s', (status, reason, stop, observed) => {
  const outcome = toTurnOutcome(
    { prompt: 'go', runId: RUN.id },
    ended({ status, stop_reason: reason }),
  );

  expect(outcome).toMatchObject({
    outcome: 'ended',
    turn: { prompt: 'go', output: 'done', stopReason: stop, cancelObserved: observed },
  });
});

test.each([
  ['timeout', 'cancelled', 'timeout', true],
  ['timeout', 'cancelling', 'timeout', false],
  ['interrupt', 'cancelled', 'cancelled', true],
  ['budget', 'cancelled', 'max_budget_reached', true],
] as const)('stopped by %s while it is %s: %s', (stoppedBy, status, stop, observed) => {
  const outcome = toTurnOutcome(
    { prompt: 'go', runId: RUN.id },
    { ...ended({ status, stop_reason: null }), stoppedBy },
  );

  expect(outcome).toMatchObject({
    outcome: 'ended',
    turn: { stopReason: stop, cancelObserved: observed },
  });
});

test('a run that failed is an error', () => {
  const error = { code: 'provider_failed', message: 'no such model' };

  const outcome = toTurnOutcome(
    { prompt: 'go', runId: RUN.id },
    ended({ status: 'failed', stop_reason: 'failed', error }),
  );

  expect(outcome).toMatchObject({
    outcome: 'failed',
    fault: { kind: 'runtime', target: 'run_1', retryable: true, message: 'no such model' },
  });
});

test('a run that was cancelled because it needs a person says where it would wait', () => {
  const outcome = toTurnOutcome(
    { prompt: 'go', runId: RUN.id },
    { ...ended({ status: 'cancelled' }), stoppedBy: 'approval' },
  );

  expect(outcome).toMatchObject({
    outcome: 'failed',
    fault: { hint: expect.stringContaining('with claw ask the run waits instead') },
  });
});
