import type { JsonObject } from '../../../core/json.ts';
import { toLegacyKind } from './error-kinds.ts';
import type { Failure } from './failure.ts';
import type { EnvelopeVersion } from './global-options.ts';

export interface Outcome {
  readonly command: string;
  readonly completedAtMs: number;
  readonly exitCode: number;
  readonly fields: JsonObject;
  readonly failure: Failure | undefined;
}

/** The one document that a command prints in JSON mode. */
export function encodeDocument(outcome: Outcome, version: EnvelopeVersion): JsonObject {
  return version === '1.0' ? encodeLegacy(outcome) : encodeCurrent(outcome);
}

function encodeCurrent({ command, completedAtMs, exitCode, fields, failure }: Outcome): JsonObject {
  const common = {
    timestamp: toTimestamp(completedAtMs),
    command,
    exit_code: exitCode,
    output_format: 'json',
    schema_version: '2.0',
  };
  const error = failure?.error;
  return {
    ...common,
    ...fields,
    ...(failure?.exitCode === 1 ? failure.fields : {}),
    // A result's own member must not pass for one of the envelope.
    ...common,
    ...(error === undefined ? {} : { error: { ...error } }),
  };
}

/** Scripts written for 1.0 look at `type` first; of an error they know these four members. */
function encodeLegacy({ command, fields, failure }: Outcome): JsonObject {
  if (failure === undefined) {
    const common = { kind: command, type: 'success' };
    return { ...common, ...fields, ...common };
  }
  return {
    type: 'error',
    error: failure.exitCode === 1 ? failure.error.message : failure.message,
    kind: toLegacyKind(failure.exitCode === 2 ? undefined : failure.error.kind),
    hint: failure.error?.hint ?? null,
  };
}

/** UTC in whole seconds, as the contract writes it. */
export function toTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
