import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errnoOf, isMissing } from './errno-of.ts';

test.each([
  ['nothing', undefined, undefined],
  ['null', null, undefined],
  ['a text', 'ENOENT', undefined],
  ['an error without a code', new Error('ENOENT'), undefined],
  ['a code that is a number', { code: 2 }, undefined],
  ['a code of a driver', { code: '40001' }, '40001'],
])('finds the code of %s', (_, thrown, code) => {
  expect(errnoOf(thrown)).toBe(code);
});

test('what is not there is missing, also behind a file, and what may not be read is not', async () => {
  const absent = await readFile(`${import.meta.filename}.none`).catch((error: unknown) => error);
  const behind = await readFile(`${import.meta.filename}/in`).catch((error: unknown) => error);

  expect([absent, behind].map(errnoOf)).toEqual(['ENOENT', 'ENOTDIR']);
  expect([absent, behind, { code: 'EACCES' }].map(isMissing)).toEqual([true, true, false]);
});
