import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, normalize, openClawRoot } from '../cli/claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

test('help of a command is laid out like a page of a manual', async () => {
  const { stdout } = await root.claw(['help', 'route']);

  const titles = stdout.split('\n').filter((line) => /^[A-Z]/.test(line));
  expect(titles).toEqual([
    'NAME',
    'SYNOPSIS',
    'DESCRIPTION',
    'OPTIONS',
    'OPTIONS FOR EVERY COMMAND',
    'EXAMPLES',
    'EXIT STATUS',
    'SEE ALSO',
  ]);
  expect(stdout).toContain(
    'NAME\n  claw route - Find the commands and tools that a prompt speaks of\n\n' +
      'SYNOPSIS\n  claw route PROMPT [--limit N]\n\n',
  );
  expect(stdout).toContain('\n\nEXAMPLES\n  claw route "list my runs"\n');
  expect(stdout).toContain('\n\nEXIT STATUS\n  0  done\n  1  an error');
});

test('help of a command says in JSON what its page says', async () => {
  const { stdout } = await root.claw(['help', 'approvals', 'deny', '--output-format', 'json']);

  expect(normalize(stdout, root.path)).toMatchObject({
    command: 'help',
    name: 'approvals deny',
    usage: expect.stringMatching(/^claw approvals deny /),
    exit_status: [
      { code: 0, meaning: 'done' },
      { code: 1, meaning: expect.any(String) },
      { code: 2, meaning: expect.any(String) },
    ],
    see_also: ['claw approvals list', 'claw approvals show', 'claw approvals approve'],
  });
});

test('sections that would be empty are left out', async () => {
  const { stdout } = await root.claw(['help', 'version']);

  expect(stdout).not.toMatch(/^OPTIONS$/m);
  expect(stdout).toMatch(/^EXAMPLES$/m);
});

test('the main help has every command in a group', async () => {
  const { stdout } = await root.claw(['help']);
  const { stdout: json } = await root.claw(['help', '--output-format', 'json']);

  const { commands } = normalize(json, root.path) as unknown as {
    commands: { name: string; summary: string; group: string }[];
  };
  const sections = new Map(
    stdout.split('\n\n').map((part) => {
      const [title = '', ...lines] = part.trimEnd().split('\n');
      return [title, lines.map((line) => line.trim().replace(/\s{2,}/, ': '))];
    }),
  );
  for (const group of new Set(commands.map((command) => command.group))) {
    expect([group, sections.get(`${group}:`)]).toEqual([
      group,
      commands
        .filter((command) => command.group === group)
        .map(({ name, summary }) => `${name}: ${summary}`),
    ]);
  }
});
