import { expect, test } from 'vitest';
import type { AgentId, RunId } from '../../../core/ids.ts';
import { NO_TOTALS, type Run } from '../../../core/runs/run.ts';
import { toTurnOutcome } from './turn.ts';

const RUN: Run = {
  id: 'run_1' as RunId,
  agentId: 'agent_default' as AgentId,
  owner: 'operator',
  sessionId: undefined,
  thread: undefined,
  exchange: undefined,
  source: 'cli',
  status: 'completed',
  message: 'go',
  lastSeq: 3,
  output: 'done',
  stopReason: 'completed',
  error: undefined,
  provider: undefined,
  model: undefined,
  totals: NO_TOTALS,
  createdAtMs: 0,
  startedAtMs: 0,
  updatedAtMs: 0,
  endedAtMs: 0,
};

const ended = (change: Partial<Run>) => ({
  run: { ...RUN, ...change },
  stoppedBy: undefined,
  cancelFault: undefined,
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
  const outcome = toTurnOutcome('go', ended({ status, stopReason: reason }));

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
  const outcome = toTurnOutcome('go', { ...ended({ status, stopReason: undefined }), stoppedBy });

  expect(outcome).toMatchObject({
    outcome: 'ended',
    turn: { stopReason: stop, cancelObserved: observed },
  });
});

test('a run that failed is an error', () => {
  const error = { code: 'provider_failed', message: 'no such model' };

  const outcome = toTurnOutcome('go', ended({ status: 'failed', stopReason: 'failed', error }));

  expect(outcome).toMatchObject({
    outcome: 'failed',
    fault: { kind: 'runtime', target: 'run_1', retryable: true, message: 'no such model' },
  });
});

test('a run that was cancelled because it needs a person says where it would wait', () => {
  const outcome = toTurnOutcome('go', { ...ended({ status: 'cancelled' }), stoppedBy: 'approval' });

  expect(outcome).toMatchObject({
    outcome: 'failed',
    fault: { hint: expect.stringContaining('with claw ask the run waits instead') },
  });
});
