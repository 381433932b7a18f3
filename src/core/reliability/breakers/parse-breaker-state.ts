import { isJsonObject, type JsonValue } from '../../json.ts';
import type { BreakerState, Trial } from './breaker.ts';
import type { OutcomeWindow } from './breaker-window.ts';

const MAX_WINDOW = 10_000;
const MAX_TRIALS = 100;

/**
 * For stores: what they read back may be from another version, or from somebody else. By hand, because the writer
 * thread needs it and would load a whole schema library for it.
 */
export function parseBreakerState(value: unknown): BreakerState | undefined {
  if (!isJsonObject(value) || !isNatural(value['epoch'])) return undefined;
  const { status, epoch } = value;
  switch (status) {
    case 'closed': {
      const { failures, window } = value;
      return isNatural(failures) && isWindow(window)
        ? { status, epoch, failures, window }
        : undefined;
    }
    case 'open': {
      const { retryAtMs } = value;
      return typeof retryAtMs === 'number' ? { status, epoch, retryAtMs } : undefined;
    }
    case 'half_open': {
      const { issued, successes, trials } = value;
      if (!isNatural(issued) || !isNatural(successes) || !isTrials(trials)) return undefined;
      return { status, epoch, issued, successes, trials };
    }
    case 'forced_open':
      return { status, epoch };
    default:
      return undefined;
  }
}

/**
 * A stored state that can't be read counts as closed and untried: it says nothing about the service, and its version
 * still lets it be replaced. The window is replaced by one of the configured size with the first call.
 */
const UNTRIED: BreakerState = {
  status: 'closed',
  epoch: 0,
  failures: 0,
  window: { size: 1, count: 0, failed: 0, next: 0, bits: [0] },
};

export function readBreakerState(stored: unknown): BreakerState {
  return parseBreakerState(stored) ?? UNTRIED;
}

function isNatural(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isWindow(value: JsonValue | undefined): value is JsonValue & OutcomeWindow {
  if (!isJsonObject(value)) return false;
  const { size, count, failed, next, bits } = value;
  if (!isNatural(size) || size < 1 || size > MAX_WINDOW) return false;
  if (!isNatural(count) || !isNatural(failed) || !isNatural(next)) return false;
  if (count > size || failed > count || next >= size) return false;
  return (
    Array.isArray(bits) && bits.length === Math.ceil(size / 32) && bits.every(Number.isSafeInteger)
  );
}

function isTrials(value: JsonValue | undefined): value is JsonValue & readonly Trial[] {
  if (!Array.isArray(value) || value.length > MAX_TRIALS) return false;
  return value.every(
    (trial: JsonValue) =>
      isJsonObject(trial) && isNatural(trial['id']) && typeof trial['expiresAtMs'] === 'number',
  );
}
