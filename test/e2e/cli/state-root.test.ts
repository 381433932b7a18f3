import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, openClawRoot } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

const JSON_FORMAT = ['--output-format', 'json'];

async function makeFolder(path: string): Promise<string> {
  await mkdir(join(root.path, path), { recursive: true });
  return path;
}

test('what works makes a state root and says where, once, and not in JSON', async () => {
  const cwd = await makeFolder('fresh');
  const other = await makeFolder('other');

  const keepsRootNotice = true;
  const ask = ['ask', 'what time is it?'];
  const first = await root.claw(ask, { cwd, keepsRootNotice });
  const second = await root.claw(ask, { cwd, keepsRootNotice });
  const document = await root.claw([...ask, ...JSON_FORMAT], { cwd: other, keepsRootNotice });

  expect(first.stderr.match(/made a state root in .*/g)).toEqual([
    `made a state root in ${join(root.path, cwd)}`,
  ]);
  expect(second.stderr).not.toContain('state root');
  expect([document.code, document.stderr]).toEqual([0, '']);
  expect(await readdir(join(root.path, other))).toEqual(['.openclawssy', 'workspace']);
});

test('a folder below finds the state root above, also inside its workspace', async () => {
  await root.claw(['init']);
  await writeFile(join(root.path, 'workspace/note.txt'), 'x');
  const cwd = await makeFolder('workspace/deep/er');

  const asked = await root.claw(['exec-tool', 'fs.list', '{"path":"."}'], { cwd });
  const again = await root.claw(['init'], { cwd });

  expect(asked.stdout).toContain('note.txt');
  expect(again.stdout).toContain(`this folder belongs to the state root ${root.path};`);
  expect(await readdir(join(root.path, cwd))).toEqual([]);
});

test('no state root is made where tools of another one work, nor under a running server', async () => {
  await root.claw(['init']);
  const inside = await makeFolder('workspace/inside');
  const beside = await makeFolder('beside');

  const refused = await root.claw(['ask', 'hello', '--root', '.', ...JSON_FORMAT], { cwd: inside });
  const here = await root.claw(['init', '--here'], { cwd: inside });
  const server = await root.serve();
  const running = await root.claw(['init', '--root', '.'], { cwd: beside });
  server.child.kill('SIGTERM');
  await server.ended;

  expect(JSON.parse(refused.stdout)).toMatchObject({
    exit_code: 1,
    error: {
      kind: 'usage',
      message: `${join(root.path, inside)} is inside the workspace of the state root ${root.path}`,
      hint: expect.stringContaining(`--root ${root.path}`),
    },
  });
  expect([here.code, running.code]).toEqual([1, 1]);
  expect(here.stderr).toContain('is inside the workspace of');
  expect(running.stderr).toContain('is inside the folder of a running server');
  expect(await readdir(join(root.path, inside))).toEqual([]);
  expect(await readdir(join(root.path, beside))).toEqual([]);
});

test('a home folder is no project', async () => {
  const cwd = await makeFolder('home');
  const env = { HOME: join(root.path, cwd) };

  const refused = await root.claw(['init', '--here'], { cwd, env });

  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('more than a project'),
  ]);
  expect(await readdir(join(root.path, cwd))).toEqual([]);
});

test('init --here works on the project around it, out of reach of tools and of git', async () => {
  const cwd = await makeFolder('project');
  const at = join(root.path, cwd);
  await writeFile(join(at, 'code.txt'), 'needle');
  expect(spawnSync('git', ['init', '-q'], { cwd: at }).status).toBe(0);

  const made = await root.claw(['init', '--here', ...JSON_FORMAT], { cwd });
  const again = await root.claw(['init', '--here', ...JSON_FORMAT], { cwd });
  await root.claw(['flush-transcript', '--prompt', 'needle'], { cwd });
  const script = await root.script([{ toolCalls: [...REACHING, ...LOOKING] }, { text: 'done' }]);
  const asked = await root.claw(['ask', 'look around', ...JSON_FORMAT], { cwd, ...script });
  const { run_id: id } = JSON.parse(asked.stdout);
  const shown = await root.claw(['runs', 'show', id, ...JSON_FORMAT], { cwd });

  expect(JSON.parse(made.stdout)).toMatchObject({ root: at, workspace: at, exit_code: 0 });
  expect(JSON.parse(again.stdout)).toMatchObject({ created: [], workspace: at, exit_code: 0 });
  const results: readonly { error: string; output: string }[] = JSON.parse(shown.stdout).trace
    .tool_execution_results;
  expect(results.map(({ error }) => error.split(':')[0])).toEqual([
    ...REACHING.map(() => 'policy.denied'),
    ...LOOKING.map(() => ''),
  ]);
  for (const { output } of results.slice(REACHING.length)) {
    expect(output).toContain('code.txt');
    expect(output).not.toMatch(/\.openclawssy|\.claw|transcript/);
  }
  const status = spawnSync('git', ['status', '--porcelain', '-uall'], { cwd: at });
  expect(String(status.stdout)).toBe('?? code.txt\n');
});

/** Calls that would get at the state of the runtime, if they were let. */
const REACHING = [
  { tool: 'fs.read', input: { path: '.openclawssy/token' } },
  { tool: 'fs.write', input: { path: '.openclawssy/config.json', content: '{}' } },
  { tool: 'fs.write', input: { path: '.claw/x', content: 'x' } },
  { tool: 'fs.delete', input: { path: '.openclawssy/token' } },
  { tool: 'fs.list', input: { path: '.openclawssy' } },
  { tool: 'fs.move', input: { src: 'code.txt', dst: '.claw/code.txt' } },
  { tool: 'code.search', input: { pattern: 'needle', path: '.claw' } },
];

/** Calls that see everything there is to see. */
const LOOKING = [
  { tool: 'fs.list', input: { path: '.' } },
  { tool: 'fs.glob', input: { pattern: '**/*' } },
  { tool: 'code.search', input: { pattern: 'needle|openclawssy' } },
];
