import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../../test/support/temp-root.ts';
import type { CommandGrammar, OptionGrammar } from '../program/command-list.ts';
import { createCommandList } from '../program/create-command-list.ts';
import { renderBashCompletion } from './bash-completion.ts';
import { toCompletionTree } from './completion-tree.ts';
import { renderFishCompletion } from './fish-completion.ts';
import { renderZshCompletion } from './zsh-completion.ts';

const common = { short: undefined, choices: [] };
const ROOT: OptionGrammar = { ...common, name: 'root', summary: 'state root', value: 'DIR' };
const FORMAT: OptionGrammar = {
  ...common,
  name: 'output-format',
  summary: "one document, it's JSON",
  value: 'FORMAT',
  choices: ['text', 'json'],
};
const HELP: OptionGrammar = {
  ...common,
  name: 'help',
  short: 'h',
  summary: 'explain',
  value: undefined,
};
const STATUS: OptionGrammar = {
  ...FORMAT,
  name: 'status',
  value: 'S',
  choices: ['queued', 'failed'],
};

function command(
  name: string,
  options: readonly OptionGrammar[] = [],
  choices: readonly string[] = [],
): CommandGrammar {
  const group = 'Start here';
  return {
    name,
    summary: `does ${name}`,
    group,
    source: '',
    options: [...options, FORMAT, ROOT, HELP],
    choices,
  };
}

const COMMANDS = [
  command('ask'),
  command('runs list', [STATUS]),
  command('runs show'),
  command('tool circuit-breaker open'),
  command('completion', [], ['bash', 'zsh']),
  command('help'),
];

let temp: TempRoot;
let scripts: { small: string; whole: string };

beforeAll(async () => {
  temp = await openTempRoot();
  scripts = { small: join(temp.path, 'small.bash'), whole: join(temp.path, 'whole.bash') };
  await writeFile(scripts.small, renderBashCompletion(toCompletionTree(COMMANDS)));
  const whole = toCompletionTree(await createCommandList().describe());
  await writeFile(scripts.whole, renderBashCompletion(whole));
  await mkdir(join(temp.path, 'a folder/inner'), { recursive: true });
  await writeFile(join(temp.path, 'a file'), '');
});

afterAll(() => temp.remove());

const PROBE = `
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_claw
printf '%s\\n' "\${COMPREPLY[@]}"
`;

/** What real bash offers for the last word. Readline splits at `=`, as it is done here. */
function complete(line: readonly string[], script = scripts.small): string[] {
  const words = line.flatMap((word) =>
    word.startsWith('--') ? word.split(/(=)/).filter((part) => part !== '') : [word],
  );
  const out = execFileSync('bash', ['--norc', '-c', PROBE, 'probe', script, 'claw', ...words], {
    cwd: temp.path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return out.split('\n').filter((word) => word !== '');
}

test('bash completes commands, then their subcommands', () => {
  expect(complete([''])).toEqual(['ask', 'runs', 'tool', 'completion', 'help']);
  expect(complete(['r'])).toEqual(['runs']);
  expect(complete(['runs', ''])).toEqual(['list', 'show']);
  expect(complete(['tool', 'circuit-breaker', 'o'])).toEqual(['open']);
  expect(complete(['runs', 'x', 'l'])).toEqual([]);
});

test('bash completes the words of any command behind help', () => {
  expect(complete(['help', 'r'])).toEqual(['runs']);
  expect(complete(['help', 'runs', ''])).toEqual(['list', 'show']);
  expect(complete(['help', 'completion', ''])).toEqual([]);
});

test('bash completes options of the command, and those of every command', () => {
  expect(complete(['runs', 'list', '-'])).toEqual([
    '--status',
    '--output-format',
    '--root',
    '-h',
    '--help',
  ]);
  expect(complete(['runs', 'show', 'x', '--o'])).toEqual(['--output-format']);
  expect(complete(['--ro'])).toEqual(['--root']);
  expect(complete(['ask', '--', '--ro'])).toEqual([]);
});

test('bash completes values, behind a space and behind =', () => {
  expect(complete(['runs', 'list', '--status', ''])).toEqual(['queued', 'failed']);
  expect(complete(['runs', 'list', '--status', 'f'])).toEqual(['failed']);
  expect(complete(['runs', 'list', '--status='])).toEqual(['queued', 'failed']);
  expect(complete(['runs', 'list', '--status=f'])).toEqual(['failed']);
  expect(complete(['runs', '--output-format', 'json', 'l'])).toEqual(['list']);
  expect(complete(['runs', '--output-format=json', 'l'])).toEqual(['list']);
  expect(complete(['--output-format', 'j'])).toEqual(['json']);
  expect(complete(['runs', 'show', '--status', ''])).toEqual([]);
});

test('bash completes folders where one is asked for', () => {
  expect(complete(['--root', 'a'])).toEqual(['a folder']);
});

test('bash completes an argument of which there are few, once', () => {
  expect(complete(['completion', ''])).toEqual(['bash', 'zsh']);
  expect(complete(['completion', 'bash', ''])).toEqual([]);
});

test('bash offers every command of the program in its place', async () => {
  const commands = await createCommandList().describe();

  for (const { name } of commands) {
    const words = name.split(' ');
    expect([name, complete(words, scripts.whole)]).toEqual([
      name,
      expect.arrayContaining([words.at(-1)]),
    ]);
  }
  expect(complete(['show-tool', 'shell.'], scripts.whole)).toEqual(['shell.exec']);
  expect(complete(['completion', ''], scripts.whole)).toEqual(['bash', 'zsh', 'fish']);
});

test('no option takes a value in one command and none in another', async () => {
  const options = (await createCommandList().describe()).flatMap((grammar) => grammar.options);
  const withValue = new Set(
    options.filter(({ value }) => value !== undefined).map(({ name }) => name),
  );

  expect(options.filter(({ name, value }) => value === undefined && withValue.has(name))).toEqual(
    [],
  );
});

test.for([
  ['zsh', renderZshCompletion],
  ['fish', renderFishCompletion],
] as const)('%s accepts its script', async ([shell, renderScript], { skip }) => {
  const script = join(temp.path, `claw.${shell}`);
  await writeFile(script, renderScript(toCompletionTree(await createCommandList().describe())));
  const checked = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
  if (checked.error) {
    process.stderr.write(
      `pincer: ${shell} is not installed, its completion is not checked by it\n`,
    );
    skip(`${shell} is not installed`);
  }

  expect({ code: checked.status, stderr: checked.stderr }).toEqual({ code: 0, stderr: '' });
});

test('fish itself offers the words, options and values in their places', async ({ skip }) => {
  const script = join(temp.path, 'offers.fish');
  await writeFile(script, renderFishCompletion(toCompletionTree(COMMANDS)));
  const env = { ...process.env, HOME: temp.path, XDG_CONFIG_HOME: temp.path };
  const complete = (line: string) =>
    spawnSync('fish', ['-c', 'source $argv[1]; complete -C $argv[2]', script, line], {
      encoding: 'utf8',
      env,
    });
  if (complete('claw ').error) skip('fish is not installed');
  const offers = (line: string) =>
    complete(line)
      .stdout.trimEnd()
      .split('\n')
      .map((offer) => offer.split('\t')[0]);

  expect(offers('claw runs ')).toEqual(['list', 'show']);
  expect(offers('claw --output-format json help ru')).toEqual(['runs']);
  expect(offers('claw --output-format ')).toEqual(['json', 'text']);
  expect(offers('claw runs list --status=')).toEqual(['--status=failed', '--status=queued']);
});

test('zsh and fish are given every word, option and value, quoted for them', () => {
  const nodes = toCompletionTree(COMMANDS);
  const zsh = renderZshCompletion(nodes).split('\n');
  const fish = renderFishCompletion(nodes).split('\n');

  expect(zsh).toContain(
    "      'runs'|'help runs') names=('list:does runs list' 'show:does runs show') ;;",
  );
  expect(zsh).toContain("      'runs list --status') compadd -- 'queued' 'failed' ;;");
  expect(zsh.join('\n')).toContain("'--output-format:one document, it'\\''s JSON'");
  expect(fish).toContain(
    "complete -c claw -n '__claw_next \\'runs\\'' -f -a 'list' -d 'does runs list'",
  );
  expect(fish).toContain(
    "complete -c claw -n '__claw_in \\'runs list\\'' -l 'status' -x -a 'queued failed' -d 'one document, it\\'s JSON'",
  );
  expect(fish).toContain("complete -c claw -l 'help' -s 'h' -f -d 'explain'");
});
