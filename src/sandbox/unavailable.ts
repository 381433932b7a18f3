import { RuntimeError } from '../core/errors.ts';

const MAX_REASON_CHARS = 300;

export function sandboxUnavailable(provider: string, reason: string): RuntimeError {
  const shown = reason.trim().slice(0, MAX_REASON_CHARS);
  return new RuntimeError('sandbox_unavailable', `sandbox ${provider} can't start: ${shown}`, {
    details: { provider, reason: shown },
  });
}

/** What to throw when the caller's signal stopped the command. */
export function toAbortError(signal: AbortSignal): RuntimeError {
  const reason: unknown = signal.reason;
  return reason instanceof RuntimeError
    ? reason
    : new RuntimeError('cancelled', 'the command was cancelled', { cause: reason });
}
