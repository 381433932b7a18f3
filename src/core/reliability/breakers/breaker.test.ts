import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BreakerPolicy, DEFAULT_RELIABILITY } from '../settings.ts';
import {
  type Admission,
  admit,
  type BreakerState,
  type CallResult,
  closedState,
  forceOpen,
  settle,
} from './breaker.ts';
import { parseBreakerState } from './parse-breaker-state.ts';

const policy = DEFAULT_RELIABILITY.breaker;
const NOW = 1_800_000_000_000;

/** A circuit with calls that are admitted and settled at once. */
function play(results: readonly CallResult[], start: BreakerState = closedState(policy)) {
  return results.reduce((state, result) => {
    const { state: next, admission } = admit(state, NOW, policy);
    return settle(next, { admission, result, endedAtMs: NOW }, policy);
  }, start);
}

function times<T>(count: number, value: T): T[] {
  return new Array<T>(count).fill(value);
}

test('five failures in a row open the circuit and further calls are refused', () => {
  const open = play(times(5, 'failure' as const));

  expect(open).toEqual({ status: 'open', epoch: 1, retryAtMs: NOW + 30_000 });
  expect(admit(open, NOW + 10, policy).admission).toEqual({
    admitted: false,
    status: 'open',
    retryInMs: 29_990,
  });
});

test('four failures and a success leave the circuit closed', () => {
  const state = play([...times(4, 'failure' as const), 'success', ...times(4, 'failure' as const)]);

  expect(state.status).toBe('closed');
});

test('half of the last hundred calls failing opens the circuit, but not before a hundred were measured', () => {
  const half = times(25, ['failure', 'success', 'success', 'failure'] as const).flat();

  const before = play(half.slice(0, 99));
  const after = play(half.slice(99), before);

  expect(before.status).toBe('closed');
  expect(after.status).toBe('open');
});

test('forty-nine failures of a hundred do not open the circuit', () => {
  const results = [...times(49, ['failure', 'success'] as const).flat(), 'success', 'success'];

  const state = play(results as CallResult[]);

  expect(state).toMatchObject({ status: 'closed', window: { count: 100, failed: 49 } });
});

test('failures leave the window when a hundred calls have followed them', () => {
  const noisy = play(times(40, ['failure', 'success'] as const).flat());

  const calm = play(times(100, 'success' as const), noisy);

  expect(calm).toMatchObject({ status: 'closed', window: { count: 100, failed: 0 } });
});

test('neutral results are not counted', () => {
  const state = play([...times(4, 'failure' as const), 'neutral', 'neutral']);

  expect(state).toMatchObject({ status: 'closed', failures: 4, window: { count: 4, failed: 4 } });
});

test('after the reset timeout one trial is admitted, and no second one', () => {
  const open = play(times(5, 'failure' as const));

  const first = admit(open, NOW + 30_000, policy);
  const second = admit(first.state, NOW + 30_000, policy);

  expect(first.admission).toEqual({ admitted: true, epoch: 2, trialId: 1 });
  expect(second.admission).toEqual({ admitted: false, status: 'half_open', retryInMs: 60_000 });
});

test('a good trial closes the circuit with nothing counted', () => {
  const trial = admit(play(times(5, 'failure' as const)), NOW + 30_000, policy);

  const state = settle(
    trial.state,
    { admission: trial.admission, result: 'success', endedAtMs: NOW + 30_001 },
    policy,
  );

  expect(state).toEqual(closedState(policy, 3));
});

test('a failing trial opens the circuit again and restarts its time', () => {
  const trial = admit(play(times(5, 'failure' as const)), NOW + 30_000, policy);

  const state = settle(
    trial.state,
    { admission: trial.admission, result: 'failure', endedAtMs: NOW + 31_000 },
    policy,
  );

  expect(state).toEqual({ status: 'open', epoch: 3, retryAtMs: NOW + 61_000 });
});

test('a trial that says nothing makes room for the next one', () => {
  const trial = admit(play(times(5, 'failure' as const)), NOW + 30_000, policy);

  const released = settle(
    trial.state,
    { admission: trial.admission, result: 'neutral', endedAtMs: NOW + 30_001 },
    policy,
  );

  expect(admit(released, NOW + 30_001, policy).admission).toMatchObject({
    admitted: true,
    trialId: 2,
  });
});

test('two good trials close the circuit where two are asked for', () => {
  const twice: BreakerPolicy = { ...policy, successesToClose: 2 };
  const first = admit(play(times(5, 'failure' as const)), NOW + 30_000, twice);

  const half = settle(
    first.state,
    { admission: first.admission, result: 'success', endedAtMs: NOW + 30_000 },
    twice,
  );
  const second = admit(half, NOW + 30_000, twice);
  const closed = settle(
    second.state,
    { admission: second.admission, result: 'success', endedAtMs: NOW + 30_000 },
    twice,
  );

  expect([half.status, closed.status]).toEqual(['half_open', 'closed']);
});

test('a hung trial stops blocking when its lease ends, and its late failure is ignored after that', () => {
  const hung = admit(play(times(5, 'failure' as const)), NOW + 30_000, policy);

  const next = admit(hung.state, NOW + 90_000, policy);
  const late = settle(
    next.state,
    { admission: hung.admission, result: 'failure', endedAtMs: NOW + 90_001 },
    policy,
  );

  expect(next.admission).toMatchObject({ admitted: true, trialId: 2 });
  expect(late).toBe(next.state);
});

test('results of calls admitted before the circuit opened change nothing, not even after it closed', () => {
  const early = admit(closedState(policy), NOW, policy).admission;
  const open = play(times(5, 'failure' as const));
  const trial = admit(open, NOW + 30_000, policy);
  const closed = settle(
    trial.state,
    { admission: trial.admission, result: 'success', endedAtMs: NOW + 30_000 },
    policy,
  );

  const late = { admission: early, result: 'success', endedAtMs: NOW + 30_001 } as const;

  expect(settle(open, late, policy)).toBe(open);
  expect(settle(trial.state, late, policy)).toBe(trial.state);
  expect(settle(closed, { ...late, result: 'failure' }, policy)).toBe(closed);
});

test('a circuit forced open stays open however long one waits', () => {
  const forced = forceOpen(closedState(policy));

  expect(admit(forced, NOW + 10 ** 9, policy).admission).toEqual({
    admitted: false,
    status: 'forced_open',
  });
});

test('a clock set back does not keep the circuit open for longer than its reset timeout', () => {
  const open = play(times(5, 'failure' as const));
  const backMs = NOW - 3_600_000;

  const refused = admit(open, backMs, policy);

  expect(admit(refused.state, backMs + 30_000, policy).admission.admitted).toBe(true);
});

const actionArb = fc.oneof(
  fc.record({ do: fc.constant('admit' as const) }),
  fc.record({
    do: fc.constant('settle' as const),
    at: fc.nat(20),
    result: fc.constantFrom<CallResult>('success', 'failure', 'neutral'),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
  fc.record({ do: fc.constant('store' as const) }),
);

test('whatever happens, trials never exceed their limit and no circuit is stuck', () => {
  fc.assert(
    fc.property(
      fc.array(actionArb, { maxLength: 60 }),
      fc.integer({ min: 1, max: 3 }),
      (actions, halfOpenConcurrency) => {
        const small = { ...policy, windowSize: 10, halfOpenConcurrency, trialLeaseMs: 20_000 };
        const calls: Admission[] = [];
        let state = closedState(small);
        let nowMs = NOW;
        for (const action of actions) {
          if (action.do === 'wait') nowMs += action.ms;
          if (action.do === 'store') {
            expect(parseBreakerState(JSON.parse(JSON.stringify(state)))).toEqual(state);
          }
          if (action.do === 'admit') {
            const next = admit(state, nowMs, small);
            state = next.state;
            if (next.admission.admitted) calls.push(next.admission);
            expect(next.admission.admitted).toBe(
              next.admission.admitted || state.status === 'open' || state.status === 'half_open',
            );
          }
          if (action.do === 'settle' && calls.length > 0) {
            const [admission] = calls.splice(action.at % calls.length, 1) as [Admission];
            state = settle(state, { admission, result: action.result, endedAtMs: nowMs }, small);
          }
          if (state.status === 'half_open') {
            expect(state.trials.length).toBeLessThanOrEqual(halfOpenConcurrency);
          }
          if (state.status === 'closed') {
            expect(state.failures).toBeLessThan(small.failureThreshold);
            const bits = state.window.bits.map((word) => (word >>> 0).toString(2)).join('');
            expect(bits.replaceAll('0', '').length).toBe(state.window.failed);
          }
        }
        // However it got here, waiting for the longest bound lets somebody through.
        expect(admit(state, nowMs + 30_000, small).admission.admitted).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});
