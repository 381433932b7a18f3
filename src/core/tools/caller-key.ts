import { createHash } from 'node:crypto';
import { RuntimeError } from '../errors.ts';
import type { ToolRequest } from '../loop/model.ts';
import { OPERATOR } from '../principal.ts';
import { isSoundKey, MAX_KEY_CHARS } from '../reliability/idempotency/idempotency-key.ts';
import type { Tool } from './tool.ts';

/** An idempotency key that whoever wants a call gave for it. */
export interface CallerKey {
  /** As it was given, for a service that honours it. */
  readonly sent: string;
  /** What the call is remembered by. */
  readonly kept: string;
}

/**
 * The caller's key of a call: given beside its arguments or in them. Keys of principals lie apart from those of the
 * operator and of each other: a guessed key must lead to nobody else's answer.
 */
export function findCallerKey(
  tool: Tool | undefined,
  { input, idempotencyKey: given }: Pick<ToolRequest, 'input' | 'idempotencyKey'>,
  principal: string,
): CallerKey | RuntimeError | undefined {
  const inArguments = tool?.keyOf?.(tool.repair(input));
  const sent = given ?? inArguments;
  if (sent === undefined) return undefined;
  if (inArguments !== undefined && inArguments !== sent) {
    return refuse('the call has two different idempotency keys');
  }
  if (isSoundKey(sent)) return { sent, kept: toKept(sent, principal) };
  return refuse(`an idempotency key has 1 to ${MAX_KEY_CHARS} well-formed characters`);
}

const PRINCIPAL_DIGITS = 32;

/** However long a principal's name is, its keys may be as long as anybody's: one that does not fit is kept as its digest. */
function toKept(sent: string, principal: string): string {
  if (principal === OPERATOR) return sent;
  const prefix = `${sha256(principal).slice(0, PRINCIPAL_DIGITS)}:`;
  const kept = `${prefix}${sent}`;
  return kept.length <= MAX_KEY_CHARS ? kept : `${prefix}${sha256(sent)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function refuse(message: string): RuntimeError {
  return new RuntimeError('tool_input_invalid', message);
}
