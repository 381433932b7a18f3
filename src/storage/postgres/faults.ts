import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';

/**
 * What may be done about a failed statement. `connection`: the backend is gone and its transaction with it, unless
 * it was committing. `contention`: another transaction was in the way. `other`: repeating it would fail again.
 */
export type FaultKind = 'connection' | 'contention' | 'other';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);

/** Too many connections, idle in transaction for too long, and a standby that has not been promoted yet. */
const CONNECTION_STATES = new Set(['53300', '25P03', '25006']);

/** Serialization failure, deadlock, lock not available. */
const CONTENTION_STATES = new Set(['40001', '40P01', '55P03']);

/** Another node stored the same first: the next attempt finds it, and says what that means. */
const KEY_CONSTRAINTS: ReadonlySet<unknown> = new Set([
  'idempotency_keys_pkey',
  'sessions_pkey',
  'mail_key_key',
]);
const RUN_CONSTRAINT = 'runs_pkey';

/** What the driver throws without a code when a connection is lost or can't be had in time. */
const DRIVER_MESSAGE =
  /connection (terminated|ended)|timeout exceeded|connection timeout|not queryable|read timeout|timeout expired/i;

export function classifyFault(thrown: unknown): FaultKind {
  const code = errnoOf(thrown);
  if (code === undefined) return isDriverLoss(thrown) ? 'connection' : 'other';
  if (SOCKET_CODES.has(code) || CONNECTION_STATES.has(code)) return 'connection';
  if (/^(08|57P)/.test(code)) return 'connection';
  if (CONTENTION_STATES.has(code)) return 'contention';
  return code === '23505' && KEY_CONSTRAINTS.has(constraintOf(thrown)) ? 'contention' : 'other';
}

/** Refused logins, missing databases, exhausted disk or memory, statement timeout, damaged files. */
const UNAVAILABLE_CLASSES = /^(28|3D|53|57|58|XX)/;

export function toStorageFault(thrown: unknown): RuntimeError {
  if (thrown instanceof RuntimeError) return thrown;
  const kind = classifyFault(thrown);
  const code = errnoOf(thrown) ?? 'no code';
  if (kind === 'connection') {
    return unavailable(`postgres is unreachable (${code})`, thrown);
  }
  if (kind === 'contention') return unavailable(`postgres is contended (${code})`, thrown);
  if (code === '23505' && constraintOf(thrown) === RUN_CONSTRAINT) {
    return new RuntimeError('conflict', 'a run with this id exists already', { cause: thrown });
  }
  if (code === '22021') {
    return new RuntimeError(
      'invalid_input',
      'a name or id holds characters that can not be stored',
      {
        cause: thrown,
      },
    );
  }
  if (UNAVAILABLE_CLASSES.test(code)) {
    return unavailable(`postgres refused the operation (${code})`, thrown);
  }
  return toRuntimeError(thrown);
}

function unavailable(message: string, cause: unknown): RuntimeError {
  return new RuntimeError('storage_unavailable', message, { cause });
}

function isDriverLoss(thrown: unknown): boolean {
  return thrown instanceof Error && DRIVER_MESSAGE.test(thrown.message);
}

function constraintOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'constraint' in thrown
    ? thrown.constraint
    : undefined;
}
