import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUILT_IN_TOOLS } from '../../../src/core/inventory/built-in-tools.ts';
import { type ClawRoot, common, normalize, openClawRoot } from '../cli/claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

async function document(...args: readonly string[]) {
  const ended = await root.inline([...args, '--output-format', 'json']);
  const value = normalize(ended.stdout, root.path);
  expect(ended.stderr).toBe('');
  expect(value['exit_code']).toBe(ended.code);
  return value;
}

async function text(...args: readonly string[]) {
  const { code, stdout, stderr } = await root.inline(args);
  return { code, stdout, stderr };
}

async function put(path: string, content: string): Promise<void> {
  const absolute = join(root.path, path);
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, content);
}

async function putExtensions(): Promise<void> {
  await put(
    '.claw/skills/tidy/SKILL.md',
    '---\nname: tidy\ndescription: Zebra tidying\n---\nDo.\n',
  );
  await put('.claw/skills/broken/SKILL.md', '---\nname: broken\n');
  const commands = [{ name: 'lint', description: 'Zebra linting' }];
  await put('.claw/plugins/kit/plugin.json', JSON.stringify({ commands }));
}

test('show-command answers for a command, a plugin and a skill', async () => {
  await putExtensions();

  expect(await document('show-command', 'RUNS', 'list')).toEqual({
    ...common('show-command', 0),
    name: 'runs list',
    found: true,
    source_hint: 'src/surfaces/cli/commands/runs/runs-list.ts',
    responsibility: 'List runs, newest first',
    resolved_name: 'runs list',
    origin: 'builtin',
  });
  expect(await document('show-command', 'Lint')).toEqual({
    ...common('show-command', 0),
    name: 'lint',
    found: true,
    source_hint: '.claw/plugins/kit/plugin.json',
    responsibility: 'Zebra linting',
    resolved_name: 'kit:lint',
    origin: 'plugin',
  });
  expect(await text('show-command', 'tidy')).toEqual({
    code: 0,
    stdout: 'tidy\n.claw/skills/tidy/SKILL.md\nZebra tidying\n',
    stderr: '',
  });
});

test('show-command and show-tool say when there is no such thing, and what was meant', async () => {
  expect(await document('show-command', '../etc/passwd')).toEqual({
    ...common('show-command', 1),
    name: '../etc/passwd',
    found: false,
    error: {
      kind: 'command_not_found',
      operation: 'find_command',
      target: '../etc/passwd',
      retryable: false,
      message: 'command not found: ../etc/passwd',
      hint: 'claw command-graph lists them',
    },
  });
  expect(await document('show-tool', 'BashTol')).toEqual({
    ...common('show-tool', 1),
    name: 'BashTol',
    found: false,
    error: {
      kind: 'tool_not_found',
      operation: 'find_tool',
      target: 'BashTol',
      retryable: false,
      message: 'tool not found: BashTol',
      hint: 'did you mean BashTool?',
    },
  });
  expect(await text('show-tool', 'nothing-like-it')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: tool not found: nothing-like-it\nhint: claw tool-pool lists them\n',
  });
});

test('show-tool answers to familiar names as they are usually written', async () => {
  const shown = {
    ...common('show-tool', 0),
    found: true,
    source_hint: 'src/toolbox/shell/shell-exec.ts',
    responsibility: 'Run a command in the workspace, inside a sandbox without network.',
    resolved_name: 'shell.exec',
    aliases: ['bash.exec', 'terminal.exec', 'terminal.run', 'BashTool', 'Bash'],
    effect: 'write',
  };

  expect(await document('show-tool', 'bashtool')).toEqual({ ...shown, name: 'BashTool' });
  expect(await document('show-tool', 'Shell.Exec')).toEqual({ ...shown, name: 'shell.exec' });
  expect(await text('show-tool', 'FileReadTool')).toEqual({
    code: 0,
    stdout: 'FileReadTool\nsrc/toolbox/files/fs-read.ts\nRead a text file in the workspace.\n',
    stderr: '',
  });
});

test('route finds what a prompt speaks of, best command and best tool first', async () => {
  await putExtensions();

  expect(await document('route', 'zebra tidying', '--limit', '2')).toEqual({
    ...common('route', 0),
    prompt: 'zebra tidying',
    limit: 2,
    match_count: 2,
    matches: [
      { kind: 'command', name: 'tidy', score: 1, source_hint: '.claw/skills/tidy/SKILL.md' },
      {
        kind: 'command',
        name: 'kit:lint',
        score: 0.5,
        source_hint: '.claw/plugins/kit/plugin.json',
      },
    ],
  });
  expect(await text('route', 'regular/toolbox', '--limit=1')).toEqual({
    code: 0,
    stdout: 'tool\tcode.search\t1\tsrc/toolbox/files/code-search.ts\n',
    stderr: '',
  });
});

test('route succeeds without a match, and refuses no prompt and no place', async () => {
  expect(await document('route', 'zzzzqq')).toEqual({
    ...common('route', 0),
    prompt: 'zzzzqq',
    limit: 5,
    match_count: 0,
    matches: [],
  });
  expect(await text('route', 'zzzzqq')).toEqual({ code: 0, stdout: '(no matches)\n', stderr: '' });
  expect(await document('route', 'x', '--limit', '0')).toMatchObject({
    command: 'route',
    exit_code: 1,
    error: {
      kind: 'parse',
      retryable: false,
      message: 'option --limit must be a whole number from 1 to 200 (it is "0")',
    },
  });
  expect(await document('route', '  ')).toMatchObject({
    exit_code: 1,
    error: { kind: 'parse', message: 'the prompt must not be empty' },
  });
});

test('command-graph counts and lists commands by where they come from', async () => {
  await putExtensions();

  const graph = await document('command-graph');

  const builtins = graph['builtins'] as { name: string; source_hint: string }[];
  expect(graph).toEqual({
    ...common('command-graph', 0),
    builtins_count: builtins.length,
    plugin_like_count: 1,
    skill_like_count: 1,
    total_count: builtins.length + 2,
    builtins,
    plugin_like: [
      {
        name: 'kit:lint',
        source_hint: '.claw/plugins/kit/plugin.json',
        responsibility: 'Zebra linting',
      },
    ],
    skill_like: [
      {
        name: 'tidy',
        source_hint: '.claw/skills/tidy/SKILL.md',
        responsibility: 'Zebra tidying',
      },
    ],
    problems: [
      {
        path: '.claw/skills/broken/SKILL.md',
        message: 'has front matter that is not closed by ---',
      },
    ],
  });
  expect(builtins).toContainEqual({
    name: 'doctor',
    source_hint: 'src/surfaces/cli/commands/doctor/doctor.ts',
    responsibility: expect.any(String),
  });
  expect(await text('command-graph')).toEqual({
    code: 0,
    stdout: [
      '# Command Graph',
      '',
      `Builtins: ${builtins.length}`,
      'Plugin-like commands: 1',
      'Skill-like commands: 1',
      'problem: .claw/skills/broken/SKILL.md has front matter that is not closed by ---',
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('tool-pool lists the tools that are left', async () => {
  const listed = BUILT_IN_TOOLS.map(({ name, sourceHint, responsibility, effect }) => ({
    name,
    source_hint: sourceHint,
    responsibility,
    effect,
  }));
  const all = {
    ...common('tool-pool', 0),
    simple_mode: false,
    include_mcp: true,
    tool_count: listed.length,
    tools: listed,
  };

  expect(await document('tool-pool')).toEqual(all);
  expect(await document('tool-pool', '--no-mcp')).toEqual({ ...all, include_mcp: false });
  const without = listed.filter(
    ({ name }) => !/^(?:fs\.|scheduler\.|time\.now$|http\.)/.test(name),
  );
  const denied = ['--deny-prefix', 'FS.', '--deny-prefix=scheduler.'];
  const names = ['--deny-tool', 'TIME.NOW', '--deny-tool', 'WebFetchTool'];
  expect(await document('tool-pool', ...denied, ...names)).toEqual({
    ...all,
    tool_count: without.length,
    tools: without,
  });
  expect(await text('tool-pool', '--simple-mode', '--deny-tool', 'BashTool')).toEqual({
    code: 0,
    stdout: [
      '# Tool Pool',
      '',
      'Simple mode: true',
      'Include MCP: true',
      'Tool count: 2',
      '- fs.edit: src/toolbox/files/fs-edit.ts',
      '- fs.read: src/toolbox/files/fs-read.ts',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect((await text('tool-pool')).stdout.split('\n').slice(20)).toEqual([
    `… and ${listed.length - 15} more`,
    '',
  ]);
});

test('bootstrap-graph lists the stages of a start', async () => {
  const graph = await document('bootstrap-graph');
  const shown = await text('bootstrap-graph');

  const stages = graph['stages'] as string[];
  expect(graph).toEqual({
    ...common('bootstrap-graph', 0),
    stages,
    note: 'stages of claw serve, in order; a command that executes runs without a server stops at the runner',
  });
  expect(stages.map((stage) => stage.split(':')[0])).toEqual([
    'command line and environment',
    'state root',
    'logging',
    'secrets',
    'storage',
    'conversations',
    'tools',
    'runs',
    'records',
    'runner',
    'scheduler',
    'surfaces',
  ]);
  expect(shown.stdout).toBe(
    `# Bootstrap Graph\n\n${stages.map((stage) => `- ${stage}\n`).join('')}`,
  );
});

test('completion prints a script for each shell, and refuses others', async () => {
  const bash = await document('completion', 'bash');

  expect(bash).toEqual({ ...common('completion', 0), shell: 'bash', script: bash['script'] });
  expect((await text('completion', 'bash')).stdout).toBe(bash['script']);
  expect((await text('completion', 'zsh')).stdout).toMatch(/^#compdef claw\n/);
  expect((await text('completion', 'fish')).stdout).toMatch(/^# fish completion for claw\n/);
  expect(await text('completion', 'csh')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: unknown shell "csh"\nhint: usage: claw completion bash|zsh|fish\n',
  });
});

test('nothing is created by asking what there is', async () => {
  for (const args of [
    ['show-command', 'doctor'],
    ['show-tool', 'fs.read'],
    ['route', 'x'],
    ['command-graph'],
    ['tool-pool'],
    ['bootstrap-graph'],
    ['completion', 'zsh'],
    ['help', 'route'],
  ]) {
    expect((await root.claw(args)).code).toBe(0);
  }
  expect(await readdir(root.path)).toEqual([]);
});

test('what a terminal would obey in the path of a skill is not printed', async () => {
  await put(
    'skills/a\u001b]0;x\u0007/SKILL.md',
    '---\nname: evil\ndescription: Zebra \u001b[31m\n---\nDo.\n',
  );

  const shown = await text('show-command', 'evil');
  const routed = await text('route', 'evil');

  expect(shown).toEqual({
    code: 0,
    stdout: 'evil\nskills/a\ufffd]0;x\ufffd/SKILL.md\nZebra [31m\n',
    stderr: '',
  });
  expect(routed.stdout).toBe('command\tevil\t1\tskills/a\ufffd]0;x\ufffd/SKILL.md\n');
});
