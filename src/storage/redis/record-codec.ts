import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type {
  IdempotencyRecord,
  IdempotencyState,
  NotKept,
} from '../../core/reliability/idempotency/idempotency-store.ts';

/** A record from the flat list of names and values that a hash is read as. */
export function decodeRecord(storedKey: string, flat: readonly string[]): IdempotencyRecord {
  const fields = new Map<string, string>();
  for (let index = 0; index < flat.length; index += 2) {
    fields.set(flat[index] ?? '', flat[index + 1] ?? '');
  }
  const get = (name: string): string => {
    const value = fields.get(name);
    if (value !== undefined) return value;
    const message = `redis holds something else under ${storedKey}: it has no ${name}`;
    throw new RuntimeError('storage_unavailable', message);
  };
  const result = fields.get('result');
  const notKept = fields.get('notKept') as NotKept | undefined;
  const error = fields.get('error');
  return {
    storedKey,
    toolId: get('toolId'),
    key: get('key'),
    state: get('state') as IdempotencyState,
    digest: get('digest'),
    claimId: get('claimId'),
    version: Number(get('version')),
    createdAtMs: Number(get('createdAtMs')),
    updatedAtMs: Number(get('updatedAtMs')),
    leaseUntilMs: Number(get('leaseUntilMs')),
    expiresAtMs: Number(get('expiresAtMs')),
    ...defined({ result, notKept }),
    ...(error !== undefined && {
      error: JSON.parse(error) as NonNullable<IdempotencyRecord['error']>,
    }),
  };
}
