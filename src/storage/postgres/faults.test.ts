import { expect, test } from 'vitest';
import { RuntimeError } from '../../core/errors.ts';
import { classifyFault, toStorageFault } from './faults.ts';

function fault(code: string | undefined, message = 'x', constraint?: string): Error {
  return Object.assign(new Error(message), { code, constraint });
}

test.each([
  [fault('ECONNREFUSED'), 'connection', 'storage_unavailable'],
  [fault('57P01'), 'connection', 'storage_unavailable'],
  [fault('08006'), 'connection', 'storage_unavailable'],
  [fault('53300'), 'connection', 'storage_unavailable'],
  [fault(undefined, 'Connection terminated unexpectedly'), 'connection', 'storage_unavailable'],
  [
    fault(undefined, 'timeout exceeded when trying to connect'),
    'connection',
    'storage_unavailable',
  ],
  [fault('40P01'), 'contention', 'storage_unavailable'],
  [fault('40001'), 'contention', 'storage_unavailable'],
  [fault('23505', 'x', 'idempotency_keys_pkey'), 'contention', 'storage_unavailable'],
  [fault('23505', 'x', 'sessions_pkey'), 'contention', 'storage_unavailable'],
  [fault('23505', 'x', 'runs_pkey'), 'other', 'conflict'],
  [fault('53100'), 'other', 'storage_unavailable'],
  [fault('57014'), 'other', 'storage_unavailable'],
  [fault('28P01'), 'other', 'storage_unavailable'],
  [fault('3D000'), 'other', 'storage_unavailable'],
  [fault('22021'), 'other', 'invalid_input'],
  [fault('42601'), 'other', 'internal'],
  [new TypeError('ours'), 'other', 'internal'],
  [new RuntimeError('not_found', 'no such run'), 'other', 'not_found'],
] as const)('%o is a %s fault and reported as %s', (thrown, kind, code) => {
  expect([classifyFault(thrown), toStorageFault(thrown).code]).toEqual([kind, code]);
});
