import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTempRoot } from '../../../../test/support/temp-root.ts';
import { toRuntimeError } from '../../../core/errors.ts';
import { missingPart } from '../../../platform/missing-part.ts';
import { toFailure } from './errors.ts';
import { findSystemFault } from './system-fault.ts';

test('what the system refused says which call, which path and why', async () => {
  const temp = await openTempRoot();
  const path = join(temp.path, 'absent/file');

  const thrown: unknown = await open(path, 'r').catch((error) => error);
  await temp.remove();

  expect(findSystemFault(thrown)).toEqual({
    operation: 'open',
    target: path,
    message: `open ${path}: no such file or directory (ENOENT)`,
    hint: 'the folder above it does not exist: create it first',
  });
});

test('a refusal that nobody put into words is a filesystem error, not a defect', async () => {
  const temp = await openTempRoot();

  const thrown: unknown = await mkdir(temp.path).catch((error) => error);
  await temp.remove();

  expect(toFailure(toRuntimeError(thrown), { operation: 'init', target: '/root' })).toEqual({
    exitCode: 1,
    error: {
      kind: 'filesystem',
      operation: 'mkdir',
      target: temp.path,
      retryable: true,
      message: `mkdir ${temp.path}: file already exists (EEXIST)`,
    },
  });
});

test('a part of the program that is missing is no file of the operator', () => {
  const thrown = missingPart('/opt/claw/chunks/a.cjs', new Error('ENOENT'));

  expect(toFailure(toRuntimeError(thrown), { operation: 'init', target: '/root' })).toEqual({
    exitCode: 1,
    error: {
      kind: 'unknown',
      operation: 'load_program',
      target: process.argv[1],
      retryable: false,
      message: 'a part of the program is missing: /opt/claw/chunks/a.cjs',
      hint: 'install it again',
    },
  });
});

test('other throws are no fault of the system', () => {
  expect(findSystemFault(new TypeError('boom'))).toBeUndefined();
  expect(findSystemFault('boom')).toBeUndefined();
  expect(findSystemFault(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBeUndefined();
});
