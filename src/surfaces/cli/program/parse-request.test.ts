import { expect, test } from 'vitest';
import { RuntimeError } from '../../../core/errors.ts';
import { findClosestName } from '../../../core/find-closest-name.ts';
import { COMMAND_TABLE } from './command-table.ts';
import { findAttempted, parseRequest } from './parse-request.ts';

const noSuggestion = async () => undefined;

async function parse(...argv: string[]) {
  const request = await parseRequest(argv, noSuggestion);
  if (request.kind === 'help') return { help: request.words };
  return { name: request.entry.name, args: request.input.args, options: request.input.options };
}

async function refusal(...argv: string[]): Promise<string> {
  const error = await parseRequest(argv, noSuggestion).catch((thrown: unknown) => thrown);
  return error instanceof RuntimeError ? error.message : 'not refused';
}

test('options of every command may stand before its name and after it', async () => {
  const { name, options } = await parse('--root', '/a', 'runs', 'list', '--limit=5', '--no-color');

  expect(name).toBe('runs list');
  expect(options).toMatchObject({ root: '/a', limit: 5, 'no-color': true, status: undefined });
});

test('words behind -- are arguments, whatever they look like', async () => {
  expect(await parse('ask', '--', '--help', '-x')).toMatchObject({
    name: 'ask',
    args: ['--help', '-x'],
  });
});

test('--help wins over whatever else is wrong with a known command', async () => {
  expect(await parse('runs', 'show', '--help')).toEqual({ help: ['runs', 'show'] });
  expect(await parse('runs', '--help')).toEqual({ help: ['runs'] });
  expect(await parse('ask', 'what', '--help')).toEqual({ help: ['ask'] });
  expect(await parse('--help')).toEqual({ help: [] });
});

test('values are checked: missing, option-like, out of range, of the wrong kind', async () => {
  expect(await refusal('ask', 'x', '--agent')).toBe('option --agent needs a value: --agent ID');
  expect(await refusal('ask', 'x', '--agent', '--stream')).toBe(
    'option --agent needs a value: --agent ID',
  );
  expect(await refusal('ask', 'x', '--agent=')).toBe('option --agent must not be empty');
  expect(await refusal('ask', 'x', '--stream=yes')).toBe('option --stream takes no value');
  expect(await refusal('ask', 'x', '--timeout-seconds', '1e3')).toBe(
    'option --timeout-seconds must be a number from 0.001 to 86400 (it is "1e3")',
  );
  expect(await refusal('runs', 'list', '--limit', '1.5')).toBe(
    'option --limit must be a whole number from 1 to 200 (it is "1.5")',
  );
  expect(await refusal('ask', 'x', '-z')).toBe('unknown option -z');
  expect(await refusal('--limit', '5', 'runs', 'list')).toBe('unknown option --limit');
});

test('an option that may be repeated keeps every value, in order', async () => {
  const given = await parse('tool-pool', '--deny-tool', 'b', '--deny-tool=a', '--deny-tool', 'b');

  expect(given.options).toMatchObject({ 'deny-tool': ['b', 'a', 'b'], 'deny-prefix': [] });
  expect(await refusal('tool-pool', '--deny-tool=')).toBe('option --deny-tool must not be empty');
  expect(await refusal('tool-pool', ...Array(201).fill('--deny-tool=a'))).toBe(
    'an option is given more than 200 times',
  );
});

test.each([
  [['chta'], 'did you mean claw chat?'],
  [['aks', 'hello'], 'did you mean claw ask?'],
  [['rusn', 'list'], 'did you mean claw runs?'],
  [['runs', 'lsit'], 'did you mean claw runs list?'],
  [['runs', 'shwo', 'run_1'], 'did you mean claw runs show?'],
  [['serve', '--prot', '3000'], 'did you mean --port?'],
  [['ask', 'hello', '--modle', 'a/b'], 'did you mean --model?'],
  [['schedule', 'add', '--dialy'], 'did you mean --daily?'],
  [['tool', 'idempotency', 'flsuh', 'x'], 'did you mean claw tool idempotency flush?'],
])('says what was probably meant by %j', async (argv, hint) => {
  const suggest = async (name: string, known: readonly string[]) => findClosestName(name, known);

  const error = await parseRequest(argv, suggest).catch((thrown: unknown) => thrown);

  expect(error instanceof RuntimeError && error.details?.['hint']).toBe(hint);
});

test.each([
  [['runs', 'show'], 'argument RUN is missing'],
  [['config', 'set'], 'argument FIELD is missing'],
  [['config', 'set', 'server.port'], 'argument VALUE is missing'],
  [['mcp', 'approve', 'files'], 'argument TOOL is missing'],
  [['skills', 'export', 'a', '1'], 'argument FOLDER is missing'],
  [['skills', 'publish'], 'argument SKILL is missing'],
  [['completion'], 'argument bash|zsh|fish is missing'],
  [['effects', 'resolve'], 'argument EFFECT is missing'],
])('names the argument that is missing from %j', async (argv, message) => {
  expect(await refusal(...argv)).toBe(message);
});

test('the usage of every command names the arguments that it needs', async () => {
  const commands = await Promise.all(COMMAND_TABLE.map((entry) => entry.load()));

  const unnamed = commands
    .filter(({ args, usage }) => args.min > 0 && !/^[A-Za-z]/.test(usage))
    .map(({ usage }) => usage);

  expect(unnamed).toEqual([]);
});

test('an option named like a member of every object is still unknown', async () => {
  expect(await refusal('doctor', '--constructor')).toBe('unknown option --constructor');
});

test('a failed parse is reported under the words that were tried', () => {
  expect(findAttempted([])).toBe('<missing>');
  expect(findAttempted(['--output-format', 'json'])).toBe('<missing>');
  expect(findAttempted(['--root', '/a', 'runs', 'show', 'x'])).toBe('runs show');
  expect(findAttempted(['runs', 'nonsense'])).toBe('runs');
});

test('every command in the table can be loaded and has a different name', async () => {
  const commands = await Promise.all(COMMAND_TABLE.map((entry) => entry.load()));

  expect(commands.every(({ examples }) => examples.length > 0)).toBe(true);
  expect(new Set(COMMAND_TABLE.map(({ name }) => name)).size).toBe(COMMAND_TABLE.length);
});
