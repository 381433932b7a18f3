import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, common, normalize, openClawRoot } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

const JSON_FORMAT = ['--output-format', 'json'];

/** Runs a command in JSON mode and checks what holds for all of them. */
async function document(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const ended = await root.inline([...JSON_FORMAT, ...args], { env });
  const value = normalize(ended.stdout, root.path);
  expect(ended.stderr).toBe('');
  expect(value['exit_code']).toBe(ended.code);
  return value;
}

async function text(args: readonly string[]) {
  const { code, stdout, stderr } = await root.inline(args);
  return {
    code,
    stdout: stdout.replaceAll(root.path, '<root>'),
    stderr: stderr.replaceAll(root.path, '<root>'),
  };
}

const PARSE_ERRORS: readonly (readonly [args: readonly string[], error: object])[] = [
  [[], { target: '<missing>', message: 'no command was given', hint: 'claw help lists them' }],
  [
    ['serv'],
    { target: 'serv', message: 'unknown command "serv"', hint: 'did you mean claw serve?' },
  ],
  [
    ['xyzzy'],
    { target: 'xyzzy', message: 'unknown command "xyzzy"', hint: 'claw help lists the commands' },
  ],
  [
    ['runs'],
    {
      target: 'runs',
      message: 'runs needs a subcommand',
      hint: 'claw runs has list, show, watch, steer, cancel, replay, fork, diff',
    },
  ],
  [
    ['runs', 'lst'],
    { target: 'runs', message: 'unknown command "runs lst"', hint: 'did you mean claw runs list?' },
  ],
  [
    ['runs', 'list', '--limt', '1'],
    { target: 'runs list', message: 'unknown option --limt', hint: 'did you mean --limit?' },
  ],
  [
    ['runs', 'list', '--limit', '0'],
    {
      target: 'runs list',
      message: 'option --limit must be a whole number from 1 to 200 (it is "0")',
    },
  ],
  [
    ['runs', 'list', '--status', 'done'],
    {
      target: 'runs list',
      message:
        'option --status must be queued, running, waiting, cancelling, completed, failed, cancelled (it is "done")',
    },
  ],
  [
    ['runs', 'show'],
    { target: 'runs show', message: 'argument RUN is missing', hint: 'usage: claw runs show RUN' },
  ],
  [
    ['runs', 'show', '../etc/passwd'],
    {
      target: 'runs show',
      message: '"../etc/passwd" is not a run id',
      hint: 'ids look like run_01jv8z4q0k6c…; claw runs list shows them',
    },
  ],
  [
    ['version', 'now'],
    { target: 'version', message: 'unexpected argument "now"', hint: 'usage: claw version' },
  ],
  [
    ['ask'],
    {
      target: 'ask',
      message: 'argument MESSAGE is missing, and standard input is empty',
      hint: 'give it as an argument, or on standard input',
    },
  ],
  [['doctor', '--root'], { target: 'doctor', message: 'option --root needs a value: --root DIR' }],
  [['doctor', '--no-color=1'], { target: 'doctor', message: 'option --no-color takes no value' }],
];

test('a command line that makes no sense: one error document and 1 for scripts, two lines and 2 for people', async () => {
  for (const [args, error] of PARSE_ERRORS) {
    const value = await document(args);
    const command =
      args[0] === 'runs' && args.length > 1 && args[1] !== 'lst'
        ? `runs ${args[1]}`
        : (args[0] ?? '<missing>');

    expect(value).toEqual({
      ...common(command, 1),
      error: { kind: 'parse', operation: 'parse_arguments', retryable: false, ...error },
    });
    const said = await text(args);
    expect([args, said.code, said.stdout]).toEqual([args, 2, '']);
    if (args.length > 0) expect(said.stderr).toContain('error: ');
  }
});

test('CLAW_OUTPUT_FORMAT asks for JSON, and the flag wins over it', async () => {
  const env = { CLAW_OUTPUT_FORMAT: 'json' };

  const byVariable = await root.claw(['version'], { env });
  const byFlag = await root.claw(['version', '--output-format=text'], { env });
  const wrong = await root.claw(['version', '--output-format', 'yaml']);

  expect(normalize(byVariable.stdout, root.path)).toMatchObject({
    command: 'version',
    exit_code: 0,
  });
  expect(byFlag.stdout).toMatch(/^claw \d/);
  expect(wrong).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'error: option --output-format must be text, json (it is "yaml")\n',
  });
});

test('every command explains itself, with an example', async () => {
  const { commands } = (await document(['help'])) as unknown as {
    commands: { name: string; summary: string }[];
  };

  for (const { name, summary } of commands.filter((command) => command.name !== 'help')) {
    const words = name.split(' ');
    const byWord = await text(['help', ...words]);
    const byFlag = await text([...words, '--help']);

    expect(byWord).toEqual({ code: 0, stderr: '', stdout: byFlag.stdout });
    expect(byWord.stdout).toContain(
      `NAME\n  claw ${name} - ${summary}\n\nSYNOPSIS\n  claw ${name}`,
    );
    expect(byWord.stdout).toMatch(/\nEXAMPLES\n {2}\S/);
  }
  expect((await text(['help', 'runs'])).stdout).toContain('Subcommands:\n  runs list ');
  expect((await text(['--help'])).stdout).toBe((await text(['help', '--no-color'])).stdout);
  expect(await text([])).toEqual({ code: 2, stdout: '', stderr: (await text(['help'])).stdout });
});

test('a reader that leaves early is no fault', async () => {
  await root.claw(['ask', 'what time is it?']);
  const listing = root.start(['runs', 'list']);
  listing.child.stdout?.destroy();

  expect(await listing.ended).toMatchObject({ code: 0, stderr: '' });
});
