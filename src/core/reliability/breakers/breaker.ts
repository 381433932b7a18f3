import type { BreakerPolicy } from '../settings.ts';
import { emptyWindow, type OutcomeWindow, pushOutcome } from './breaker-window.ts';

export interface Trial {
  readonly id: number;
  readonly expiresAtMs: number;
}

/**
 * What is known about a service. `epoch` grows with every change of status, so that a result can be told apart from
 * those of an earlier time. Plain JSON: it is stored and shared as it stands.
 */
export type BreakerState =
  | {
      readonly status: 'closed';
      readonly epoch: number;
      readonly failures: number;
      readonly window: OutcomeWindow;
    }
  | { readonly status: 'open'; readonly epoch: number; readonly retryAtMs: number }
  | {
      readonly status: 'half_open';
      readonly epoch: number;
      readonly issued: number;
      readonly successes: number;
      readonly trials: readonly Trial[];
    }
  | { readonly status: 'forced_open'; readonly epoch: number };

export type BreakerStatus = BreakerState['status'];

export type Admission =
  | { readonly admitted: true; readonly epoch: number; readonly trialId?: number }
  | {
      readonly admitted: false;
      readonly status: 'open' | 'half_open' | 'forced_open';
      /** Absent when only an operator can close the circuit. */
      readonly retryInMs?: number;
    };

/** `neutral` ends a call that says nothing about the service: bad input, a refusal, a cancel. */
export type CallResult = 'success' | 'failure' | 'neutral';

export interface SettledCall {
  readonly admission: Admission;
  readonly result: CallResult;
  readonly endedAtMs: number;
}

export function closedState(policy: BreakerPolicy, epoch = 0): BreakerState {
  return { status: 'closed', epoch, failures: 0, window: emptyWindow(policy.windowSize) };
}

export function forceOpen(state: BreakerState): BreakerState {
  return { status: 'forced_open', epoch: state.epoch + 1 };
}

export function admit(
  state: BreakerState,
  nowMs: number,
  policy: BreakerPolicy,
): { readonly state: BreakerState; readonly admission: Admission } {
  switch (state.status) {
    case 'closed':
      return { state, admission: { admitted: true, epoch: state.epoch } };
    case 'forced_open':
      return { state, admission: { admitted: false, status: 'forced_open' } };
    case 'open': {
      const retryInMs = state.retryAtMs - nowMs;
      if (retryInMs <= 0) return startTrial(toHalfOpen(state.epoch + 1), nowMs, policy);
      // A clock that was set back, here or on the node that opened the circuit, must not keep it open for hours.
      if (retryInMs > policy.resetTimeoutMs) {
        const sooner = { ...state, retryAtMs: nowMs + policy.resetTimeoutMs };
        return { state: sooner, admission: refuse('open', policy.resetTimeoutMs) };
      }
      return { state, admission: refuse('open', retryInMs) };
    }
    case 'half_open': {
      const live = state.trials.filter((trial) => isLive(trial, nowMs, policy));
      if (live.length < policy.halfOpenConcurrency) {
        return startTrial({ ...state, trials: live }, nowMs, policy);
      }
      const retryInMs = Math.min(...live.map((trial) => trial.expiresAtMs - nowMs));
      return { state, admission: refuse('half_open', retryInMs) };
    }
  }
}

export function settle(
  state: BreakerState,
  call: SettledCall,
  policy: BreakerPolicy,
): BreakerState {
  const { admission } = call;
  if (!admission.admitted) return state;
  if (state.status === 'closed') {
    // A call admitted before the circuit last opened says nothing about the service of today.
    return admission.epoch === state.epoch ? settleClosed(state, call, policy) : state;
  }
  if (state.status !== 'half_open' || admission.epoch !== state.epoch) return state;
  const trials = state.trials.filter(({ id }) => id !== admission.trialId);
  if (trials.length === state.trials.length) return state;
  if (call.result === 'failure') return toOpen(state.epoch + 1, call.endedAtMs, policy);
  if (call.result === 'neutral') return { ...state, trials };
  const successes = state.successes + 1;
  return successes < policy.successesToClose
    ? { ...state, trials, successes }
    : closedState(policy, state.epoch + 1);
}

function settleClosed(
  state: BreakerState & { readonly status: 'closed' },
  call: SettledCall,
  policy: BreakerPolicy,
): BreakerState {
  if (call.result === 'neutral') return state;
  const isFailure = call.result === 'failure';
  const measured =
    state.window.size === policy.windowSize ? state.window : emptyWindow(policy.windowSize);
  const window = pushOutcome(measured, isFailure);
  const failures = isFailure ? state.failures + 1 : 0;
  const isFull = window.count === window.size;
  const opens =
    failures >= policy.failureThreshold ||
    (isFull && window.failed >= policy.failureRate * window.count);
  return opens
    ? toOpen(state.epoch + 1, call.endedAtMs, policy)
    : { status: 'closed', epoch: state.epoch, failures, window };
}

function toOpen(epoch: number, atMs: number, policy: BreakerPolicy): BreakerState {
  return { status: 'open', epoch, retryAtMs: atMs + policy.resetTimeoutMs };
}

type HalfOpen = BreakerState & { readonly status: 'half_open' };

function toHalfOpen(epoch: number): HalfOpen {
  return { status: 'half_open', epoch, issued: 0, successes: 0, trials: [] };
}

function startTrial(
  state: HalfOpen,
  nowMs: number,
  policy: BreakerPolicy,
): { readonly state: BreakerState; readonly admission: Admission } {
  const id = state.issued + 1;
  const trial = { id, expiresAtMs: nowMs + policy.trialLeaseMs };
  return {
    state: { ...state, issued: id, trials: [...state.trials, trial] },
    admission: { admitted: true, epoch: state.epoch, trialId: id },
  };
}

/** A lease further ahead than any is given out comes from another clock and is not waited for. */
function isLive(trial: Trial, nowMs: number, policy: BreakerPolicy): boolean {
  return trial.expiresAtMs > nowMs && trial.expiresAtMs - nowMs <= policy.trialLeaseMs;
}

function refuse(status: 'open' | 'half_open', retryInMs: number): Admission {
  return { admitted: false, status, retryInMs };
}
