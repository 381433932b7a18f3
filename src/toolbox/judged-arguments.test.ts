import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ZodObject } from 'zod';
import { DEFAULT_AGENT_ID, type RequestId, type RunId } from '../core/ids.ts';
import type { JsonObject } from '../core/json.ts';
import { createPolicy } from '../core/policy/create-policy.ts';
import type { PolicyRule } from '../core/policy/policy-rule.ts';
import { findStandingRule } from '../core/policy/standing-rule.ts';
import { OPERATOR } from '../core/principal.ts';
import type { Tool } from '../core/tools/tool.ts';
import { createFileTools } from './files/file-tools.ts';
import { createHttpRequest } from './http/http-request.ts';
import { createShellExec } from './shell/shell-exec.ts';
import { openTestWorkspace, type TestWorkspace } from './test-workspace.ts';

let workspace: TestWorkspace;
let tools: ReadonlyMap<string, Tool>;

const NETWORK = { enabled: true, allowedDomains: ['*'], allowLocalhosts: true, keyDomains: [] };
const COMMANDS = { allow: ['*'], ask: [], deny: [], otherwise: 'deny' as const };

beforeAll(async () => {
  workspace = await openTestWorkspace();
  const { guard, root } = workspace;
  const sandbox = {
    name: 'none',
    probe: async () => ({ available: false as const, reason: '' }),
    run: () => Promise.reject(new Error('nothing runs here')),
  };
  const all = [
    ...createFileTools({ guards: { whole: guard, find: async () => guard } }),
    createHttpRequest({ config: NETWORK }),
    createShellExec({ rules: COMMANDS, sandbox, guard, workspace: root }),
  ];
  tools = new Map(all.map((tool) => [tool.name, tool]));
  await mkdir(join(root, 'secret/sub'), { recursive: true });
  await workspace.put('secret/a.txt', 'x');
  await workspace.put('public/a.txt', 'x');
  await workspace.link('link', 'secret');
  await workspace.link('public/up', '../secret');
  await workspace.link('file', 'secret/a.txt');
});

afterAll(() => workspace.remove());

async function decide(rules: readonly PolicyRule[], name: string, raw: JsonObject) {
  const tool = tools.get(name) as Tool;
  const policy = createPolicy({
    capabilities: { has: () => true, freshen: async () => {} },
    settings: () => ({ mode: 'full', rules, hasRuleOfTwo: false }),
  });
  const input = tool.input.parse(tool.repair(raw));
  const call = { requestId: 'req_1' as RequestId, runId: 'run_1' as RunId, tool, input };
  return (
    await policy.decide({ ...call, agentId: DEFAULT_AGENT_ID, principal: OPERATOR, exposure: [] })
  ).decision;
}

/** How each tool is called with a path in the place of each of its path arguments. */
const CALLS: readonly (readonly [string, (path: string) => JsonObject])[] = [
  ['fs.read', (path) => ({ path })],
  ['fs.list', (path) => ({ path })],
  ['fs.write', (path) => ({ path, content: 'x' })],
  ['fs.append', (path) => ({ path, content: 'x' })],
  ['fs.edit', (path) => ({ path, old: 'x', new: 'y' })],
  ['fs.delete', (path) => ({ path })],
  ['fs.move', (path) => ({ src: path, dst: 'public/b' })],
  ['fs.move', (path) => ({ src: 'public/a.txt', dst: path })],
  ['fs.glob', (path) => ({ path, pattern: '*' })],
  ['code.search', (path) => ({ path, pattern: 'x' })],
];

const SPELLINGS = [
  'secret/a.txt',
  './secret/a.txt',
  'secret//a.txt',
  'public/../secret/a.txt',
  '{root}/secret/a.txt',
  '{root}/./public/../secret/a.txt',
  'link/a.txt',
  'public/up/a.txt',
  'secret/sub/../a.txt',
  ' "secret/a.txt" ',
];
const RULES = ['secret', 'secret/', './secret/', '{root}/secret', 'link', 'link/', 'secret/a.txt'];

const fill = (text: string) => text.replaceAll('{root}', workspace.root);

test.each(CALLS)('%s: every spelling of a path gets the same decision', async (tool, toInput) => {
  const decisions = new Set<string>();
  for (const prefix of RULES.map(fill)) {
    for (const spelling of SPELLINGS.map(fill)) {
      const where = { field: 'path', prefix };
      const denied = await decide(
        [{ tool: '*', decision: 'deny', where }],
        tool,
        toInput(spelling),
      );
      decisions.add(denied === 'deny' ? 'deny' : `${prefix} ${spelling}: ${denied}`);
    }
  }

  expect([...decisions]).toEqual(['deny']);
});

test.each(CALLS)(
  '%s: the folder itself is covered, and its neighbour is not',
  async (tool, toInput) => {
    const where = { field: 'path', prefix: 'secret/' };
    const rules: PolicyRule[] = [{ tool: '*', decision: 'deny', where }];
    const tries = ['secret', 'secret/', './secret', 'link', 'public/a.txt', 'secrets'].map(
      async (path) => decide(rules, tool, toInput(path)),
    );
    // To delete or move a link is not to reach what it leads to.
    const link = tool === 'fs.delete' || tool === 'fs.move' ? 'allow' : 'deny';

    expect(await Promise.all(tries)).toEqual(['deny', 'deny', 'deny', link, 'allow', 'allow']);
  },
);

test('what reaches into a folder from above is about the folder', async () => {
  const where = { field: 'path', prefix: 'secret/sub/' };
  const rules: PolicyRule[] = [{ tool: '*', decision: 'deny', where }];
  const decisions = [
    await decide(rules, 'fs.delete', { path: 'secret', recursive: true }),
    await decide(rules, 'fs.move', { src: 'secret', dst: 'b' }),
    await decide(rules, 'code.search', { pattern: 'x' }),
    await decide(rules, 'fs.glob', { pattern: '*' }),
    await decide(rules, 'fs.list', { path: 'secret' }),
  ];

  expect(decisions).toEqual(['deny', 'deny', 'deny', 'deny', 'allow']);
});

test('an allowed place answers a question only when the whole call stays in it', async () => {
  const where = { field: 'path', prefix: 'public/' };
  const rules: PolicyRule[] = [
    { tool: 'fs.move', decision: 'ask' },
    { tool: 'fs.move', decision: 'allow', where },
  ];

  expect(await decide(rules, 'fs.move', { src: 'public/a.txt', dst: './public/b' })).toBe('allow');
  expect(await decide(rules, 'fs.move', { src: 'public/a.txt', dst: 'secret/b' })).toBe('ask');
  expect(await decide(rules, 'fs.move', { src: 'public/a.txt', dst: 'public/up/b' })).toBe('ask');
});

test('always for one file answers for its deletion, and not for a directory', async () => {
  const ask: PolicyRule = { tool: 'fs.delete', decision: 'ask' };
  const settings = { rules: [ask], commands: COMMANDS, toArgv: () => undefined };
  const answered = async (input: JsonObject) => {
    const standing = findStandingRule({ tool: 'fs.delete', input }, settings);
    if (standing?.kind !== 'rule') return 'not offered';
    return decide([ask, standing.rule], 'fs.delete', input);
  };

  expect(await answered({ path: 'public/a.txt' })).toBe('allow');
  expect(await answered({ path: 'secret', recursive: true })).toBe('not offered');
  const where = { field: 'path', equals: 'secret' };
  const rules: PolicyRule[] = [ask, { tool: 'fs.delete', decision: 'allow', where }];
  expect(await decide(rules, 'fs.delete', { path: 'secret', recursive: true })).toBe('ask');
});

test('a rule about a link speaks when the link itself is deleted or moved', async () => {
  for (const where of ['file', `${workspace.root}/file`].flatMap((name) => [
    { field: 'path', equals: name },
    { field: 'path', prefix: name },
  ])) {
    const rules: PolicyRule[] = [{ tool: '*', decision: 'deny', where }];
    expect(await decide(rules, 'fs.delete', { path: 'public/../file' })).toBe('deny');
    expect(await decide(rules, 'fs.move', { src: 'file', dst: 'b' })).toBe('deny');
  }
  const rules: PolicyRule[] = [
    { tool: 'fs.delete', decision: 'ask' },
    { tool: 'fs.delete', decision: 'allow', where: { field: 'path', equals: 'file' } },
  ];
  expect(await decide(rules, 'fs.delete', { path: 'file' })).toBe('allow');
});

test('a directory that is moved brings all that lies in it to its new place', async () => {
  const where = { field: 'path', equals: 'public/new/a.txt' };
  const rules: PolicyRule[] = [{ tool: '*', decision: 'deny', where }];

  expect(await decide(rules, 'fs.move', { src: 'secret', dst: 'public/new' })).toBe('deny');
  expect(await decide(rules, 'fs.move', { src: 'secret/a.txt', dst: 'public/new' })).toBe('allow');
});

test('a redirection is judged as the file that it writes', async () => {
  const where = { field: 'path', prefix: 'secret/' };
  const rules: PolicyRule[] = [{ tool: '*', decision: 'deny', where }];
  const lines = [
    'echo x > secret/b',
    'echo x >> ./link/b',
    `ls 2> ${workspace.root}/secret/b`,
    'cat <<EOF &> secret/b\nx\nEOF',
    'cd secret && echo x > b',
    'f=secret/b; echo x > $f',
    'echo x > public/b',
    'cd secret && echo x > /dev/null',
  ];

  expect(
    await Promise.all(lines.map((command) => decide(rules, 'shell.exec', { command }))),
  ).toEqual(['deny', 'deny', 'deny', 'deny', 'deny', 'deny', 'allow', 'allow']);
});

test.each([
  'HTTP://127.1/%61dmin/x',
  'http://127.0.0.1:80/admin/x',
  'http://127.0.0.1/b/../admin/x',
])('http.request: %s is judged as what it means', async (url) => {
  const where = { field: 'url', prefix: 'http://127.0.0.1/admin/' };
  const rules: PolicyRule[] = [{ tool: 'http.*', decision: 'deny', where }];

  expect(await decide(rules, 'http.request', { url })).toBe('deny');
});

test('no tool has a path or a URL that rules are not told about', async () => {
  const isReach = (field: string) => /^(?:path|src|dst|cwd|url|file|directory)$/.test(field);
  const silent: string[] = [];
  for (const tool of tools.values()) {
    const fields = Object.keys((tool.input as unknown as ZodObject).shape).filter(isReach);
    const example = Object.fromEntries(fields.map((field) => [field, 'http://x/']));
    const ctx = { runId: 'run_1' as RunId, agentId: DEFAULT_AGENT_ID, principal: OPERATOR };
    const aims = (await tool.aims?.({ command: 'ls', ...example }, ctx)) ?? [];
    const missing = fields.filter((field) => !aims.some((aim) => aim.field === field));
    silent.push(...missing.map((field) => `${tool.name} ${field}`));
  }

  expect(silent).toEqual([]);
});
