import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { common } from './claw.ts';
import { openWay, WAYS, type WayRoot } from './ways.ts';

let at: WayRoot;

afterEach(() => at.dispose());

const KEY = 'sk-planted-0123456789';

async function readStored(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(at.root.path, '.openclawssy/config.json'), 'utf8'));
}

async function writeStored(text: string): Promise<string> {
  const file = join(at.root.path, '.openclawssy/config.json');
  await mkdir(join(at.root.path, '.openclawssy'), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

test.each(WAYS)('reads, sets and unsets a field: %s', async (via) => {
  at = await openWay(via);

  const before = await at.document(['config', 'get', 'engine.max_turns']);
  const set = await at.document(['config', 'set', 'engine.max_turns', '12']);
  const same = await at.document(['config', 'set', 'engine.max_turns', '12']);
  const after = await at.document(['config', 'get', 'engine.max_turns']);
  const stored = await readStored();
  const unset = await at.document(['config', 'unset', 'engine.max_turns']);
  const last = await at.document(['config', 'get', 'engine.max_turns']);

  const field = 'engine.max_turns';
  const saved = { field, applied: [field], restart_required: [], overridden: [], via };
  expect(before).toEqual({ ...common('config get', 0), field, value: 30, via });
  expect(set).toEqual({ ...common('config set', 0), ...saved });
  expect(same).toEqual({ ...common('config set', 0), ...saved, applied: [] });
  expect(after).toEqual({ ...common('config get', 0), field, value: 12, via });
  expect(stored).toMatchObject({ engine: { max_turns: 12 } });
  expect(unset).toEqual({ ...common('config unset', 0), ...saved });
  expect(last).toEqual(before);
});

test('says what needs a restart of the server and what the environment overrides', async () => {
  at = await openWay('server');

  const later = await at.document(['config', 'set', 'logging.format', 'pretty']);
  const said = await at.text(['config', 'set', 'workspace.root', 'elsewhere']);
  const overridden = await at.text(['config', 'set', 'model.default', 'ollama/llama3.1']);
  const now = await at.text(['config', 'set', 'engine.max_turns', '9']);
  const same = await at.text(['config', 'set', 'engine.max_turns', '9']);

  expect(later).toMatchObject({
    applied: [],
    restart_required: ['logging.format'],
    overridden: [],
  });
  expect(said.stdout).toBe('workspace.root: saved; in force after a restart of the server\n');
  expect(overridden.stdout).toBe(
    'model.default: saved, but the environment or a flag says otherwise\n',
  );
  expect(now.stdout).toBe('engine.max_turns: saved, and in force now\n');
  expect(same.stdout).toBe('engine.max_turns is as it was\n');
});

test('without a server nothing waits for a restart', async () => {
  at = await openWay('local');

  const value = await at.document(['config', 'set', 'logging.format', 'pretty']);
  const said = await at.text(['config', 'set', 'server.port', '4000']);

  expect(value).toMatchObject({ applied: ['logging.format'], restart_required: [], via: 'local' });
  expect(said).toEqual({ code: 0, stdout: 'server.port: saved\n', stderr: '' });
});

test.each(WAYS)('lists and objects replace what was there: %s', async (via) => {
  at = await openWay(via);
  const price = (input: number) => ({ input_per_million: input, output_per_million: 1 });

  await at.document(['config', 'set', 'network.allowed_domains', '["a.example","b.example"]']);
  await at.document(['config', 'set', 'network.allowed_domains', '["c.example"]']);
  await at.document(['config', 'set', 'prices["x/y.1"]', JSON.stringify(price(1))]);
  await at.document(['config', 'set', 'prices["x/z.2"]', JSON.stringify(price(2))]);
  await at.document(['config', 'set', 'prices["x/y.1"].input_per_million', '3']);
  const both = await at.document(['config', 'get', 'prices']);
  await at.document(['config', 'set', 'prices', JSON.stringify({ 'x/z.2': price(4) })]);
  const one = await at.document(['config', 'get', 'prices["x/z.2"]']);
  const domains = await at.text(['config', 'get', 'network.allowed_domains']);

  expect(both['value']).toEqual({ 'x/y.1': price(3), 'x/z.2': price(2) });
  expect(one).toMatchObject({ field: 'prices["x/z.2"]', value: price(4) });
  expect((await readStored())['prices']).toEqual({ 'x/z.2': price(4) });
  expect(domains.stdout).toBe('[\n  "c.example"\n]\n');
});

test.each(WAYS)('keys go in and never come out: %s', async (via) => {
  at = await openWay(via);
  const field = 'providers.openai.api_key';

  const set = await at.text(['config', 'set', field, '-'], { input: `${KEY}\n` });
  const shown = await at.document(['config', 'get', field]);
  const all = await at.document(['config', 'get']);
  await at.document(['config', 'set', 'providers.openai', '{"base_url":"http://127.0.0.1:9/v1"}']);
  const kept = await readStored();
  const warned = await at.text(['config', 'set', field, KEY]);
  await at.document(['config', 'unset', field]);
  const gone = await readStored();

  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(shown).toEqual({ ...common('config get', 0), field, value: '', via });
  expect(all).toMatchObject({ config: { providers: { openai: { api_key: '' } } }, via });
  expect(JSON.stringify([set, shown, all, warned])).not.toContain(KEY);
  expect(kept['providers']).toEqual({
    openai: { api_key: KEY, base_url: 'http://127.0.0.1:9/v1' },
  });
  expect(warned.stderr).toBe(
    'warning: a key on the command line stays in the history of the shell; claw secrets set reads it unseen\n',
  );
  expect(gone['providers']).toEqual({ openai: { base_url: 'http://127.0.0.1:9/v1' } });
});

test.each(WAYS)('refuses what is not valid, and leaves the file as it was: %s', async (via) => {
  at = await openWay(via);

  const unknown = await at.document(['config', 'set', 'server.prt', '1']);
  const wrong = await at.document(['config', 'set', 'server.port', 'many']);
  const absent = await at.document(['config', 'get', 'server.prt']);
  const unset = await at.document(['config', 'unset', 'nowhere']);

  const refused = { operation: 'config_set', retryable: false, kind: 'usage' };
  expect(unknown).toEqual({
    ...common('config set', 1),
    error: {
      ...refused,
      target: 'server.prt',
      message: 'server.prt is not a known field',
      hint: 'did you mean server.port?',
    },
  });
  expect(wrong).toEqual({
    ...common('config set', 1),
    error: {
      ...refused,
      target: 'server.port',
      message: 'server.port must be a number (it is "many")',
      hint: 'correct it, or remove it to use the default 3000',
    },
  });
  expect(absent).toEqual({
    ...common('config get', 1),
    name: 'server.prt',
    found: false,
    error: {
      kind: 'field_not_found',
      operation: 'find_field',
      target: 'server.prt',
      retryable: false,
      message: 'the configuration has no server.prt',
      hint: 'did you mean server.port?',
    },
  });
  expect(unset).toMatchObject({ name: 'nowhere', error: { kind: 'field_not_found' } });
  if (via === 'local') expect(await readdir(at.root.path)).toEqual([]);
});

test('a file that somebody broke by hand is not written over', async () => {
  at = await openWay('server', { isShipped: true });
  const file = await writeStored('{"server":');

  const far = await at.document(['config', 'set', 'engine.max_turns', '5']);

  expect(far).toMatchObject({ exit_code: 1, error: { kind: 'runtime' } });
  expect(await readFile(file, 'utf8')).toBe('{"server":');
});

test('checks the file of the state root and any other', async () => {
  // Another file is looked for in the working directory.
  at = await openWay('local', { isShipped: true });
  const absent = await at.text(['config', 'validate']);
  const file = await writeStored('{"server":{"prt":1},"engine":{"max_turns":0}}');
  const other = join(at.root.path, 'other.json');
  await writeFile(other, '{"server":{"port":4000}}');

  const wrong = await at.document(['config', 'validate']);
  const said = await at.text(['config', 'validate']);
  const fine = await at.document(['config', 'validate', 'other.json']);
  const missing = await at.document(['config', 'validate', 'absent.json']);

  const problems = [
    { path: 'server.prt', message: 'is not a known field; to fix: did you mean server.port?' },
    {
      path: 'engine.max_turns',
      message:
        'must be at least 1 (it is 0); to fix: correct it, or remove it to use the default 30',
    },
  ];
  const shown = file.replace(at.root.path, '<root>');
  expect(absent.stdout).toBe(`ok: there is no ${shown}; the defaults hold\n`);
  expect(wrong).toEqual({
    ...common('config validate', 1),
    file: shown,
    exists: true,
    valid: false,
    field_errors: problems,
    error: {
      kind: 'usage',
      operation: 'validate_config',
      target: shown,
      retryable: false,
      message: '2 fields are not valid',
      hint: 'docs/configuration.md lists every field',
    },
  });
  expect(said).toEqual({
    code: 1,
    stdout: `${problems.map(({ path, message }) => `${path}: ${message}`).join('\n')}\n`,
    stderr: 'error: 2 fields are not valid\nhint: docs/configuration.md lists every field\n',
  });
  expect(fine).toEqual({
    ...common('config validate', 0),
    file: '<root>/other.json',
    exists: true,
    valid: true,
    field_errors: [],
  });
  expect(missing).toMatchObject({
    exit_code: 1,
    name: '<root>/absent.json',
    found: false,
    error: { kind: 'file_not_found', message: 'file <root>/absent.json does not exist' },
  });
});

test.each([
  [['get', 'server..port'], '"server..port" is not the path of a field'],
  [['set', 'server.port'], 'argument VALUE is missing'],
  [['set', 'server.port', 'null'], 'null is not a value'],
  [['set', 'server.port', '-'], 'there is no value'],
  [['unset', '.'], '"." is not the path of a field'],
] as const)('refuses config %j', async (args, message) => {
  at = await openWay('local');

  const value = await at.document(['config', ...args]);

  expect(value).toMatchObject({ exit_code: 1, error: { kind: 'parse', message } });
});
