import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES } from './environment.ts';
import { OVERRIDES } from './overrides.ts';
import { OTHER_VARIABLES, renderConfiguration } from './render-configuration.ts';
import { findField, listFields } from './schema/schema-fields.ts';

const DOCUMENT = new URL('../../docs/configuration.md', import.meta.url);

test('docs/configuration.md says what the schema says', async () => {
  if (process.env.UPDATE_DOCS === '1') await writeFile(DOCUMENT, renderConfiguration());

  expect(await readFile(DOCUMENT, 'utf8')).toBe(renderConfiguration());
});

test('every field has a description', () => {
  expect(listFields().filter((field) => field.description === '')).toEqual([]);
});

test('every field is in snake case, save the one that every MCP client spells otherwise', () => {
  const names = listFields().flatMap((field) => field.path.split('.'));

  const others = names.filter((name) => !/^([a-z][a-z_]*(\[\])?|<[a-z/]+>)$/.test(name));

  expect(others).toEqual(['$schema', 'mcpServers']);
});

test('lists and maps of objects are listed with their members', () => {
  const paths = listFields().map((field) => field.path);

  expect(paths.filter((path) => /^(policy\.rules|prices|tool_rel.*overrides)/.test(path))).toEqual([
    'prices',
    'prices.<provider/name>.input_per_million',
    'prices.<provider/name>.output_per_million',
    'prices.<provider/name>.cached_input_per_million',
    'policy.rules',
    'policy.rules[].tool',
    'policy.rules[].decision',
    'policy.rules[].where',
    'policy.rules[].where.field',
    'policy.rules[].where.prefix',
    'policy.rules[].where.equals',
    'tool_reliability.overrides',
    'tool_reliability.overrides.<tool>.breaker',
    'tool_reliability.overrides.<tool>.retry',
    'tool_reliability.overrides.<tool>.idempotency',
  ]);
});

test('every override names a field that exists', () => {
  expect(OVERRIDES.filter((override) => findField(override.field) === undefined)).toEqual([]);
});

test('every environment variable is explained exactly once', () => {
  const explained = [
    ...OVERRIDES.flatMap((override) => override.variable ?? []),
    ...Object.keys(OTHER_VARIABLES),
  ];

  expect(explained.toSorted()).toEqual(
    [
      ...ENVIRONMENT_VARIABLES,
      'TOOL_RELIABILITY_ENABLED',
      'STT_PROVIDER',
      'TTS_PROVIDER',
    ].toSorted(),
  );
});
