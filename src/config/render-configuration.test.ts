import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES } from './environment.ts';
import { OVERRIDES } from './overrides.ts';
import { OTHER_VARIABLES, renderConfiguration } from './render-configuration.ts';
import { findField, listFields } from './schema-fields.ts';

const DOCUMENT = new URL('../../docs/configuration.md', import.meta.url);

test('docs/configuration.md says what the schema says', async () => {
  if (process.env.UPDATE_DOCS === '1') await writeFile(DOCUMENT, renderConfiguration());

  expect(await readFile(DOCUMENT, 'utf8')).toBe(renderConfiguration());
});

test('every field has a description', () => {
  expect(listFields().filter((field) => field.description === '')).toEqual([]);
});

test('every field is in snake case', () => {
  const names = listFields().flatMap((field) => field.path.split('.'));

  expect(names.filter((name) => !/^([a-z][a-z_]*|\$schema|<provider\/name>)$/.test(name))).toEqual(
    [],
  );
});

test('every override names a field that exists', () => {
  expect(OVERRIDES.filter((override) => findField(override.field) === undefined)).toEqual([]);
});

test('every environment variable is explained exactly once', () => {
  const explained = [
    ...OVERRIDES.flatMap((override) => override.variable ?? []),
    ...Object.keys(OTHER_VARIABLES),
  ];

  expect(explained.toSorted()).toEqual([...ENVIRONMENT_VARIABLES].toSorted());
});
