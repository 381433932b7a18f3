import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_TABLE, HELP_ENTRY } from '../../../src/surfaces/cli/program/command-table.ts';
import { ERROR_KINDS, toLegacyKind } from '../../../src/surfaces/cli/program/error-kinds.ts';
import { CONTRACT_SHAPES } from '../../../src/surfaces/cli/schemas/command-shapes.ts';
import { describeCommands } from '../../../src/surfaces/cli/schemas/describe-commands.ts';
import { openClawRoot } from '../../e2e/cli/claw.ts';
import { PROGRAM } from '../../support/program.ts';
import { documentSchemaOf } from './document-schemas.ts';
import { checkFile, FIXTURES, readFixture, SCHEMA_DOCUMENTS } from './fixtures.ts';
import type { Document } from './steady.ts';
import { findProblems } from './validate-schema.ts';

const SCHEMAS_OF_THE_BUILD = join(dirname(PROGRAM), 'schemas.json');

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

  expect(Object.keys(describeCommands().commands)).toEqual([...commands, HELP_ENTRY.name].sort());
});

test('the schemas promise every member of the contract', () => {
  const { commands } = describeCommands();

  expect(Object.keys(CONTRACT_SHAPES).sort()).toEqual(CONTRACT_COMMANDS);
  for (const [command, members] of Object.entries(PROMISED)) {
    const described = commands[command]?.required ?? [];

    expect([command, members.filter((name) => !described.includes(name))]).toEqual([command, []]);
  }
});

test('the published schemas are those of the program', async () => {
  const schemas = describeCommands();

  await checkFile(join(SCHEMA_DOCUMENTS, 'schemas.json'), schemas);
  expect(JSON.parse(await readFile(SCHEMAS_OF_THE_BUILD, 'utf8'))).toEqual(schemas);
});

test('every schema has all that it refers to, and nothing else', () => {
  const { $defs, commands } = describeCommands();

  for (const command of Object.keys(commands)) {
    const schema = documentSchemaOf(command);
    const referred = [...JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    const defined = Object.keys(schema['$defs'] as Document);

    expect([command, [...new Set(referred), 'legacy_error', 'legacy_success'].sort()]).toEqual([
      command,
      defined.sort(),
    ]);
  }
  const published = JSON.stringify(Object.keys(commands).map(documentSchemaOf));
  expect(Object.keys($defs).filter((name) => !published.includes(`"${name}":`))).toEqual([]);
});

test('the table of the documentation has the members of the schemas', async () => {
  const page = await readFile(join(SCHEMA_DOCUMENTS, 'README.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([^|]+) \|$/gm)];
  const described = Object.fromEntries(
    rows.map(([, command = '', members = '']) => [command, members.split(', ').sort()]),
  );

  const { commands } = describeCommands();
  const expected = CONTRACT_COMMANDS.map((command) => {
    const { properties = {}, required = [] } = commands[command] ?? {};
    const names = Object.keys(properties);
    return [
      command,
      names.map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``).sort(),
    ];
  });

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
    expect([command, findProblems(documentSchemaOf(command), fixture)]).toEqual([command, []]);
    expect(fixture['exit_code']).toBe(0);
  }
});

test('claw schema prints what is published', async () => {
  const root = await openClawRoot();
  const schema = documentSchemaOf('route');

  const printed = await root.claw(['schema', 'route']);
  const wrapped = await root.claw(['schema', 'route', '--output-format', 'json']);
  const twoWords = await root.claw(['schema', 'runs', 'show']);
  const names = await root.claw(['schema']);
  const unknown = await root.claw(['schema', 'rout', '--output-format', 'json']);
  await root.dispose();

  expect(JSON.parse(printed.stdout)).toEqual(schema);
  expect(JSON.parse(wrapped.stdout)).toMatchObject({ name: 'route', found: true, schema });
  expect(JSON.parse(twoWords.stdout)).toEqual(documentSchemaOf('runs show'));
  expect(names.stdout).toBe(`${Object.keys(describeCommands().commands).join('\n')}\n`);
  expect(findProblems(documentSchemaOf('schema'), JSON.parse(unknown.stdout))).toEqual([]);
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
