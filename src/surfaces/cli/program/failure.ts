import type { JsonObject } from '../../../core/json.ts';

/** The `error` member of an envelope. */
export interface ErrorBlock {
  readonly kind: string;
  readonly operation: string;
  readonly target: string;
  readonly retryable: boolean;
  readonly message: string;
  readonly hint?: string;
}

/** 1: an error or something not found. 2: out of time, which has no error block. */
export type Failure =
  | { readonly exitCode: 1; readonly error: ErrorBlock; readonly fields?: JsonObject }
  | { readonly exitCode: 2; readonly error?: ErrorBlock; readonly message: string };
