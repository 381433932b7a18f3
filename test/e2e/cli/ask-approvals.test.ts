import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTerminalRoot, say, type TerminalRoot } from '../chat/terminal-root.ts';
import { normalize } from './claw.ts';

let root: TerminalRoot;

beforeEach(async () => {
  root = await openTerminalRoot();
  await root.claw(['init']);
  const config = join(root.path, '.openclawssy/config.json');
  const rules = [{ tool: 'fs.write', decision: 'ask' }];
  const { $schema: _, ...first } = JSON.parse(await readFile(config, 'utf8'));
  await writeFile(config, JSON.stringify({ ...first, policy: { rules } }));
});

afterEach(() => root.dispose());

const JSON_FORMAT = ['--output-format', 'json'];
const TIMEOUT = { timeout: 120_000 };

/** Writes a file, once or again, and says so. */
function writing(...contents: string[]) {
  const calls = contents.map((content) => ({
    toolCalls: [{ tool: 'fs.write', input: { path: 'notes.txt', content } }],
  }));
  return root.script([...calls, { text: 'It is written.' }]);
}

async function read(): Promise<string> {
  return readFile(join(root.path, 'workspace/notes.txt'), 'utf8');
}

test(
  'without a server the run is left waiting, and it is said for what and how to decide',
  TIMEOUT,
  async () => {
    const script = await writing('new\n');

    const asked = await root.claw(['ask', 'write', ...JSON_FORMAT], script);
    const document = JSON.parse(asked.stdout);
    const { run_id: runId, approval_id: id } = document;
    const text = await root.claw(['runs', 'show', runId]);
    const shown = await root.claw(['runs', 'show', runId, ...JSON_FORMAT]);

    expect([asked.code, asked.stderr]).toEqual([1, '']);
    expect(normalize(asked.stdout, root.path)).toMatchObject({
      status: 'waiting',
      via: 'local',
      exit_code: 1,
      error: {
        kind: 'policy',
        operation: 'approve',
        target: id,
        retryable: false,
        message: `run <run> waits for approval ${id}: fs.write {"content":"new\\n","path":"notes.txt"}`,
        hint:
          `claw approvals approve ${id} lets it happen, claw approvals deny ${id} refuses it; ` +
          'then the run goes on as soon as a server runs: claw serve',
      },
    });
    expect(text.stdout).toContain(`waits for an approval:\n  ${id}: fs.write {"content":`);
    expect(JSON.parse(shown.stdout)).toMatchObject({ open_approval: { id, status: 'pending' } });

    const approved = await root.claw(['approvals', 'approve', id, '--always'], script);
    const listed = await root.claw(['policy', 'list']);
    const server = await root.serve(script);
    const watched = await root.claw(['runs', 'watch', runId, ...JSON_FORMAT], script);
    server.child.kill('SIGTERM');
    await server.ended;

    expect(approved.stdout).toContain('from now on without asking: fs.write with path notes.txt\n');
    expect(listed.stdout).toMatch(/allow +fs\.write with path notes\.txt\n/);
    expect(JSON.parse(watched.stdout)).toMatchObject({ status: 'completed' });
    expect(await read()).toBe('new\n');
  },
);

test(
  'in a pipe with a server it waits and says how to decide; in JSON it ends',
  TIMEOUT,
  async () => {
    const script = await writing('new\n');
    await root.serve(script);

    const asking = root.start(['ask', 'write'], script);
    const said = await asking.saw('stderr', /waiting: claw approvals approve (appr_\w+) lets/);
    const [, id = ''] = /approve (appr_\w+)/.exec(said) ?? [];
    await root.claw(['approvals', 'approve', id]);
    const ended = await asking.ended;
    const parked = await root.claw(['ask', 'write', ...JSON_FORMAT], script);

    expect(ended).toMatchObject({ code: 0, stdout: 'It is written.\n' });
    expect(JSON.parse(parked.stdout)).toMatchObject({
      status: 'waiting',
      via: 'server',
      exit_code: 1,
    });
  },
);

test(
  'on a terminal the person is asked with the difference, and always is not asked again',
  TIMEOUT,
  async () => {
    const script = await writing('old\n', 'new\n');
    await writeFile(join(root.path, 'workspace/notes.txt'), 'first\n');

    const terminal = await root.open(['ask', 'write'], script);
    const asked = await terminal.saw('allow it? y/n/always');
    await say(terminal, 'perhaps');
    await say(terminal, 'always');
    const done = await terminal.saw('ended with 0');

    expect(asked).toMatch(
      /may it use fs\.write\?\n {2}--- a\/notes\.txt\n {2}\+\+\+ b\/notes\.txt\n/,
    );
    expect(asked).toMatch(/\n {2}-first\n {2}\+old\n/);
    expect(done).toContain('from now on without asking: fs.write with path notes.txt');
    expect(done).toContain('It is written.');
    expect(done.match(/may it use/g)).toHaveLength(1);
    expect(await read()).toBe('new\n');
  },
);
