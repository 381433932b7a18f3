import { defined } from '../../../core/defined.ts';
import { type ErrorCode, RuntimeError } from '../../../core/errors.ts';
import { isMissingPart } from '../../../platform/missing-part.ts';
import { isErrorKind } from './error-kinds.ts';
import type { ErrorBlock, Failure } from './failure.ts';
import { findSystemFault } from './system-fault.ts';

/** Every core code as the contract's error kind and exit code. `not_found` says what: `run_not_found`. */
export const CLI_ERRORS = {
  invalid_input: ['usage', 1],
  unprocessable: ['usage', 1],
  unsupported_media_type: ['usage', 1],
  payload_too_large: ['usage', 1],
  config_invalid: ['usage', 1],
  unauthenticated: ['auth', 1],
  forbidden: ['policy', 1],
  forbidden_origin: ['policy', 1],
  policy_denied: ['policy', 1],
  approval_required: ['policy', 1],
  not_found: ['<entity>_not_found', 1],
  method_not_allowed: ['runtime', 1],
  conflict: ['runtime', 1],
  stale_cursor: ['runtime', 1],
  rate_limited: ['runtime', 1],
  queue_full: ['runtime', 1],
  budget_exceeded: ['policy', 1],
  tool_not_found: ['tool_not_found', 1],
  tool_input_invalid: ['usage', 1],
  tool_failed: ['runtime', 1],
  sandbox_required: ['policy', 1],
  sandbox_unavailable: ['runtime', 1],
  circuit_open: ['runtime', 1],
  outcome_unknown: ['runtime', 1],
  limit_reached: ['runtime', 1],
  cancelled: ['runtime', 1],
  lost_lease: ['runtime', 1],
  timeout: ['runtime', 2],
  provider_misconfigured: ['auth', 1],
  provider_failed: ['runtime', 1],
  storage_unavailable: ['filesystem', 1],
  shutting_down: ['runtime', 1],
  internal: ['unknown', 1],
} as const satisfies Record<ErrorCode, readonly [kind: string, exitCode: 1 | 2]>;

/** Where something failed, for errors that do not say so themselves. */
export interface Place {
  readonly operation: string;
  readonly target: string;
}

export function toFailure(error: RuntimeError, place: Place): Failure {
  const details = error.details ?? {};
  const [kind, exitCode] = CLI_ERRORS[error.code];
  const isNotFound = error.code === 'not_found';
  const name = text(details['name']);
  const hint =
    text(details['hint']) ??
    text(details['fix']) ??
    text(details['recovery_action']) ??
    HINTS[error.code];
  const block = findFaultBlock(error) ?? {
    kind: isNotFound
      ? `${text(details['thing']) ?? 'entity'}_not_found`
      : (kindOf(details) ?? kind),
    operation: text(details['operation']) ?? place.operation,
    target: name ?? findTarget(details) ?? place.target,
    retryable: error.retryable,
    // Messages of the configuration name the fix too; said once is enough.
    message: hint === undefined ? error.message : error.message.replace(`; to fix: ${hint}`, ''),
    ...defined({ hint }),
  };
  if (exitCode === 2) return { exitCode, error: block, message: block.message };
  const fields = isNotFound && name !== undefined ? { fields: { name, found: false } } : {};
  return { exitCode, error: block, ...fields };
}

/** What is missing of the program, or what the disk refused and nobody put into better words. */
function findFaultBlock(error: RuntimeError): ErrorBlock | undefined {
  if (error.code !== 'internal' && error.code !== 'storage_unavailable') return undefined;
  if (error.details !== undefined) return undefined;
  if (isMissingPart(error.cause)) {
    const { message } = error.cause;
    const place = { kind: 'unknown', operation: 'load_program', target: process.argv[1] ?? 'claw' };
    return { ...place, retryable: false, message, hint: 'install it again' } as const;
  }
  const fault = findSystemFault(error.cause);
  return fault === undefined ? undefined : { kind: 'filesystem', retryable: true, ...fault };
}

const HINTS: Partial<Record<ErrorCode, string>> = {
  unauthenticated:
    'the running server was given another token: set API_BEARER_TOKEN to the same, or restart it',
  queue_full: 'wait a moment, or raise engine.max_queued_runs or sessions.max_waiting_messages',
  internal: 'this is a defect: text output shows where, on standard error',
};

/** A mistake on the command line. In text mode it ends the program with 2, as parsers do. */
export function parseError(
  message: string,
  options: { readonly target: string; readonly hint?: string | undefined },
): RuntimeError {
  const { target, hint } = options;
  return new RuntimeError('invalid_input', message, {
    details: { kind: 'parse', operation: 'parse_arguments', target, hint },
  });
}

/** Says of a failed look-up what was looked for: the core knows the kind of thing, the caller its name. */
export async function naming<T>(
  thing: {
    readonly thing: string;
    readonly name: string;
    /** Asked for only when there is no such thing. */
    readonly hint: string | (() => Promise<string>);
  },
  lookup: Promise<T>,
): Promise<T> {
  try {
    return await lookup;
  } catch (error) {
    if (!(error instanceof RuntimeError) || thingOf(error) !== thing.thing) throw error;
    const hint = typeof thing.hint === 'string' ? thing.hint : await thing.hint();
    const details = { ...thing, hint, operation: `find_${thing.thing}` };
    throw new RuntimeError('not_found', error.message, { details, cause: error });
  }
}

/** Says how a refusal by policy is lifted here. */
export async function hintingPolicy<T>(hint: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'policy_denied') throw error;
    const details = { ...error.details, hint };
    throw new RuntimeError(error.code, error.message, { details, cause: error });
  }
}

/** Tools have a code of their own, because models ask for ones that do not exist. */
function thingOf(error: RuntimeError): unknown {
  if (error.code === 'tool_not_found') return 'tool';
  return error.code === 'not_found' ? error.details?.['thing'] : undefined;
}

const TARGET_DETAILS = ['target', 'file', 'variable', 'flag', 'path'] as const;

function findTarget(details: Readonly<Record<string, unknown>>): string | undefined {
  return TARGET_DETAILS.map((name) => text(details[name])).find((value) => value !== undefined);
}

/** An error may know better than its code, as a command line that can't be read does. */
function kindOf(details: Readonly<Record<string, unknown>>): string | undefined {
  return isErrorKind(details['kind']) ? details['kind'] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
