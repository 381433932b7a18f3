import { type ErrorCode, RuntimeError } from '../../core/errors.ts';
import type { RunId } from '../../core/ids.ts';
import type { WriteOutcome } from './batch-executor.ts';
import type { WriteRequest } from './write-ops.ts';

/** What the writer thread is started with. */
export interface WriterThreadData {
  readonly file: string;
}

export type ToWriter =
  | {
      readonly kind: 'writes';
      readonly requests: readonly WriteRequest[];
      /** Set when the store's clock is overridden: a function can't cross to another thread. */
      readonly nowMs: number | undefined;
    }
  | { readonly kind: 'close' };

export type FromWriter =
  | {
      readonly kind: 'outcomes';
      readonly outcomes: readonly WireOutcome[];
      readonly touchedRuns: readonly RunId[];
      readonly queueTouched: boolean;
    }
  | { readonly kind: 'foreign_commit' };

/** Errors lose their class and fields when they are cloned, so they travel as plain values. */
export type WireOutcome =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly fault: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly retryable: boolean;
        readonly details: Readonly<Record<string, unknown>> | undefined;
        readonly cause: string | undefined;
      };
    };

export function encodeOutcome(outcome: WriteOutcome): WireOutcome {
  if (outcome.ok) return outcome;
  const { code, message, retryable, details, cause } = outcome.error;
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
  return { ok: false, fault: { code, message, retryable, details, cause: reason } };
}

export function decodeOutcome(outcome: WireOutcome): WriteOutcome {
  if (outcome.ok) return outcome;
  const { code, message, retryable, details, cause } = outcome.fault;
  const error = new RuntimeError(code, message, {
    retryable,
    ...(details && { details }),
    ...(cause !== undefined && { cause: new Error(cause) }),
  });
  return { ok: false, error };
}
