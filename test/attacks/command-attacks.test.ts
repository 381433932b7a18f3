import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/core/events/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { COMMAND_ATTACKS } from '../../src/core/policy/command-rules/test-command-attacks.ts';
import { findOnPath, installPackage } from '../support/system-packages.ts';
import {
  type Battlefield,
  expectAudited,
  expectDenied,
  openBattlefield,
  type Repelled,
} from './attack.ts';
import { layTraps } from './path-attacks.ts';
import { readTree } from './read-tree.ts';

/** Argument lists need no shell, so nothing in them is parsed: what they start is judged all the same. */
const ARGV_ATTACKS: readonly JsonObject[] = [
  { command: 'rm', args: ['-rf', '.'] },
  { command: 'bash', args: ['-c', 'rm x'] },
  { command: 'sh', args: ['-c', 'ls; rm x'] },
  { command: 'env', args: ['rm', 'x'] },
  { command: 'env', args: ['-S', 'rm x'] },
  { command: 'xargs', args: ['rm'] },
  { command: 'find', args: ['.', '-exec', 'rm', '{}', ';'] },
  { command: 'git', args: ['push'] },
  { command: 'git', args: ['-c', 'alias.status=!rm x', 'status'] },
  { command: 'git', args: ['-c', 'core.fsmonitor=rm x', 'status'] },
  { command: 'git', args: ['--exec-path=.', 'status'] },
  { command: './ls' },
  { command: './echo', args: ['x'] },
  { command: '/tmp/ls' },
  { command: 'LS' },
  { command: 'ls\nrm', args: ['x'] },
  { command: 'echo $(rm x)' },
  { command: 'timeout', args: ['5', 'rm', 'x'] },
  { command: 'nohup', args: ['rm', 'x'] },
  { command: 'sudo', args: ['ls'] },
  { command: 'python3', args: ['-c', 'import os; os.remove("x")'] },
  { command: 'node', args: ['-e', 'process.exit()'] },
  { cmd: 'ls && rm x', args: [] },
];

/** Refused for their shape, before anybody asks what they would do. */
const MALFORMED = COMMAND_ATTACKS.filter(
  (line) => line.trim() === '' || line.includes('\0') || line.length > 16 * 1024,
);
/** Says nothing, so bash has nothing to run: no attack once it has come this far. */
const SILENT = ['# only a comment'];
const INPUTS: readonly JsonObject[] = [
  ...COMMAND_ATTACKS.filter((line) => !MALFORMED.includes(line) && !SILENT.includes(line)).map(
    (command) => ({ command }),
  ),
  ...ARGV_ATTACKS,
];

const CONFIG = {
  tool_reliability: { mode: 'all' },
  shell: { enable_exec: true, allowed_commands: ['echo', 'ls', 'git status'] },
  sandbox: { active: true, provider: 'bwrap' },
};

const missing = await findWhyMissing();
if (missing !== undefined) process.stderr.write(`skipping the commands that run: ${missing}\n`);

async function findWhyMissing(): Promise<string | undefined> {
  if (findOnPath('bwrap') !== undefined) return undefined;
  const reason = await installPackage('bubblewrap');
  if (reason !== undefined && process.env['REQUIRE_ENGINES'] === '1') throw new Error(reason);
  return reason;
}

let field: Battlefield;
let audit: readonly Event[];
let before: Record<string, string>;
let after: Record<string, string>;
const repelled: Repelled[] = [];
const malformed: Repelled[] = [];
let allowed: Repelled;

beforeAll(async () => {
  field = await openBattlefield(CONFIG);
  const { root } = field.runtime;
  await layTraps(root);
  before = await readTree(root, ['outside', 'workspace']);
  const attack = (input: JsonObject) => field.attack({ tool: 'shell.exec', input });
  for (const input of INPUTS) repelled.push(await attack(input));
  for (const command of MALFORMED) malformed.push(await attack({ command }));
  if (missing === undefined) allowed = await attack({ command: 'echo one && ls dir | echo two' });
  after = await readTree(root, ['outside', 'workspace']);
  audit = await field.close();
});

afterAll(() => field.remove());

test('are enough to mean something', () => {
  expect(INPUTS.length).toBeGreaterThan(180);
});

test.each(INPUTS.map((input, index) => ({ input, index })))(
  'shell.exec %# $input is denied and audited',
  ({ index }) => {
    const one = repelled[index] as Repelled;

    const details = expectDenied(one, 'shell.exec');
    expect(details['reason']).toMatch(/^command_(no_rule|opaque|empty)$/);
    expectAudited(one, audit);
  },
);

test('what is no command at all is invalid input', () => {
  const codes = malformed.map(({ events }) => {
    const result = events.find(({ type }) => type === 'tool.result');
    return (result?.payload['error'] as JsonObject | undefined)?.['code'];
  });

  expect(codes.length).toBeGreaterThan(2);
  expect(new Set(codes)).toEqual(new Set(['tool.input_invalid']));
});

test('nothing ran: the files are as they were', () => {
  expect(after).toEqual(before);
});

test.skipIf(missing !== undefined)('a line of allowed commands runs', () => {
  const result = allowed.events.find(({ type }) => type === 'tool.result');

  expect(result?.payload).toMatchObject({
    ok: true,
    output: { stdout: 'one\ntwo\n', exit_code: 0 },
  });
});
