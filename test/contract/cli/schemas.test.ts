import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_TABLE, HELP_ENTRY } from '../../../src/surfaces/cli/command-table.ts';
import { ERROR_KINDS, toLegacyKind } from '../../../src/surfaces/cli/error-kinds.ts';
import {
  CONTRACT_SCHEMAS,
  loadSchemas,
  toSchemaFile,
} from '../../../src/surfaces/cli/schemas/command-schemas.ts';
import { toDocumentSchema } from '../../../src/surfaces/cli/schemas/document-schema.ts';
import { openClawRoot } from '../../e2e/cli/claw.ts';
import { checkFile, FIXTURES, readFixture, SCHEMA_DOCUMENTS } from './fixtures.ts';
import type { Document } from './steady.ts';
import { findProblems } from './validate-schema.ts';

const CONTRACT_COMMANDS = [
  'bootstrap',
  'bootstrap-graph',
  'command-graph',
  'delete-session',
  'exec-command',
  'exec-tool',
  'flush-transcript',
  'list-sessions',
  'load-session',
  'route',
  'show-command',
  'show-tool',
  'tool-pool',
  'turn-loop',
];

/** Members of the contract's examples, by command; ours may have more. */
const PROMISED: Readonly<Record<string, readonly string[]>> = {
  'list-sessions': ['directory', 'sessions_count', 'sessions'],
  'delete-session': ['session_id', 'deleted', 'directory'],
  'load-session': ['session_id', 'loaded', 'directory', 'path'],
  'flush-transcript': [
    'session_id',
    'path',
    'flushed',
    'messages_count',
    'input_tokens',
    'output_tokens',
  ],
  'show-command': ['name', 'found', 'source_hint', 'responsibility'],
  'show-tool': ['name', 'found', 'source_hint'],
  'exec-command': ['name', 'prompt', 'handled', 'message', 'source_hint'],
  'exec-tool': ['name', 'payload', 'handled', 'message', 'source_hint'],
  route: ['prompt', 'limit', 'match_count', 'matches'],
  bootstrap: ['prompt', 'setup', 'routed_matches', 'turn', 'persisted_session_path'],
  'command-graph': [
    'builtins_count',
    'plugin_like_count',
    'skill_like_count',
    'total_count',
    'builtins',
    'plugin_like',
    'skill_like',
  ],
  'tool-pool': ['simple_mode', 'include_mcp', 'tool_count', 'tools'],
  'bootstrap-graph': ['stages', 'note'],
  'turn-loop': [
    'prompt',
    'max_turns',
    'turns_completed',
    'timeout_seconds',
    'continuation_prompt',
    'turns',
    'final_stop_reason',
    'final_cancel_observed',
  ],
};

test('every command has a schema, and no schema is without its command', async () => {
  const commands = [];
  for (const entry of [...COMMAND_TABLE]) {
    if (!(await entry.load()).ownsOutput) commands.push(entry.name);
  }

  expect(Object.keys(await loadSchemas()).sort()).toEqual([...commands, HELP_ENTRY.name].sort());
});

test('the schemas promise every member of the contract', () => {
  expect(Object.keys(CONTRACT_SCHEMAS).sort()).toEqual(CONTRACT_COMMANDS);
  for (const [command, members] of Object.entries(PROMISED)) {
    const described = Object.keys(CONTRACT_SCHEMAS[command]?.fields ?? {});

    expect([command, members.filter((name) => !described.includes(name))]).toEqual([command, []]);
  }
});

test('the published schemas are those of the program', async () => {
  const schemas = await loadSchemas();
  for (const [command, schema] of Object.entries(schemas)) {
    const file = join(SCHEMA_DOCUMENTS, toSchemaFile(command));
    await checkFile(file, toDocumentSchema(command, schema));
  }
  const published = (await readdir(SCHEMA_DOCUMENTS)).filter((file) => file.endsWith('.json'));

  expect(published.sort()).toEqual(Object.keys(schemas).map(toSchemaFile).sort());
});

test('the table of the documentation has the members of the schemas', async () => {
  const page = await readFile(join(SCHEMA_DOCUMENTS, 'README.md'), 'utf8');
  const rows = [...page.matchAll(/^\| \[`([a-z-]+)`\]\(\1\.schema\.json\) \| (.+) \|$/gm)];
  const described = Object.fromEntries(
    rows.map(([, command = '', members = '']) => [command, members.split(', ').sort()]),
  );

  const expected = Object.entries(CONTRACT_SCHEMAS).map(([command, { fields, optional = {} }]) => [
    command,
    [
      ...Object.keys(fields).map((name) => `\`${name}\``),
      ...Object.keys(optional).map((name) => `\`${name}?\``),
    ].sort(),
  ]);

  expect(described).toEqual(Object.fromEntries(expected));
});

test('the table of error kinds has all of them, with what 1.0 calls them', async () => {
  const page = await readFile(join(SCHEMA_DOCUMENTS, 'README.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| .+ \| `([a-z_]+)` \|$/gm)];

  expect(rows.map(([, kind, legacy]) => `${kind} ${legacy}`).sort()).toEqual(
    ERROR_KINDS.map((kind) => `${kind} ${toLegacyKind(kind)}`).sort(),
  );
});

test('every fixture is a document of success with exactly the members of its schema', async () => {
  const fixtures = (await readdir(FIXTURES)).sort();

  expect(fixtures).toEqual(CONTRACT_COMMANDS.map((command) => `${command}.json`).sort());
  for (const command of CONTRACT_COMMANDS) {
    const fixture = await readFixture(command);
    const schema = toDocumentSchema(command, CONTRACT_SCHEMAS[command] ?? { fields: {} });
    expect([command, findProblems(schema, fixture)]).toEqual([command, []]);
    expect(fixture['exit_code']).toBe(0);
  }
});

test('claw schema prints what is published', async () => {
  const root = await openClawRoot();
  const schemas = await loadSchemas();
  const schema = toDocumentSchema('route', CONTRACT_SCHEMAS['route'] ?? { fields: {} });

  const printed = await root.claw(['schema', 'route']);
  const wrapped = await root.claw(['schema', 'route', '--output-format', 'json']);
  const twoWords = await root.claw(['schema', 'runs', 'show']);
  const names = await root.claw(['schema']);
  const unknown = await root.claw(['schema', 'rout', '--output-format', 'json']);
  await root.dispose();

  expect(JSON.parse(printed.stdout)).toEqual(schema);
  expect(JSON.parse(wrapped.stdout)).toMatchObject({ name: 'route', found: true, schema });
  expect(JSON.parse(twoWords.stdout)).toEqual(
    toDocumentSchema('runs show', schemas['runs show'] ?? { fields: {} }),
  );
  expect(names.stdout).toBe(`${Object.keys(schemas).sort().join('\n')}\n`);
  expect(JSON.parse(unknown.stdout) as Document).toMatchObject({
    name: 'rout',
    found: false,
    error: {
      kind: 'schema_not_found',
      operation: 'find_schema',
      target: 'rout',
      hint: 'did you mean claw schema route?',
    },
  });
});
