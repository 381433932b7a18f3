import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ERROR_CATALOGUE, type ErrorCode, RuntimeError } from '../../src/core/errors.ts';
import { API_ERRORS } from '../../src/surfaces/api/errors.ts';
import { encodeV1Error, V1_ERRORS } from '../../src/surfaces/v1/errors.ts';

test('docs/contracts/errors.md lists the whole catalogue as it is', async () => {
  const text = await readFile(new URL('../../docs/contracts/errors.md', import.meta.url), 'utf8');

  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );

  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
  expect(rows).toEqual(
    codes.map((code) => [
      code,
      ERROR_CATALOGUE[code].taxonomy,
      ERROR_CATALOGUE[code].retryable ? 'yes' : 'no',
      V1_ERRORS[code][1],
      String(V1_ERRORS[code][0]),
      API_ERRORS[code][1],
      String(API_ERRORS[code][0]),
    ]),
  );
});

test('shows callers only the details that are meant for them', () => {
  const error = new RuntimeError('policy_denied', 'write outside workspace', {
    details: { path: '../etc/passwd', rule: 'workspace', thing: 'file' },
  });

  const encoded = encodeV1Error(error);

  expect(encoded).toEqual({
    status: 403,
    body: {
      error: {
        code: 'policy.denied',
        message: 'write outside workspace',
        details: { path: '../etc/passwd' },
      },
    },
  });
});

test('keeps the words and details of an internal fault to itself', () => {
  const error = new RuntimeError('internal', 'row 7 is torn', { details: { path: '/srv/db' } });

  const encoded = encodeV1Error(error);

  expect(encoded).toEqual({
    status: 500,
    body: { error: { code: 'internal.error', message: 'internal error' } },
  });
});
