import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_AGENT_ID, type RunId } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import { openTestRuntime } from '../support/open-test-runtime.ts';
import { talkingModel } from './thread-rig.ts';

const CONFIG = {
  sandbox: { active: true, provider: 'bwrap' },
  shell: { enable_exec: true, allowed_commands: ['ls', 'cat', 'touch', 'find'] },
};

/** Under `/usr` all is shown to commands that is not taken away. */
const PLACES = [tmpdir(), '/usr/local'];

test.for(PLACES)(
  'commands of a principal see its folder in %s, and nothing else of the workspace',
  async (place, ctx) => {
    const root = await mkdtemp(join(place, 'pincer-test-')).catch(() => undefined);
    if (root === undefined) {
      process.stderr.write(`skipping ${place}: it can't be written\n`);
      return ctx.skip(`${place} can't be written`);
    }
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const config = { ...CONFIG, workspace: { root } };
    const runtime = await openTestRuntime(talkingModel(), { config });
    onTestFinished(() => runtime.dispose());
    const probe = await runtime.sandbox?.probe();
    if (!probe?.available) {
      const reason = probe?.reason ?? 'none is configured';
      process.stderr.write(`skipping commands of principals: ${reason}\n`);
      return ctx.skip(reason);
    }
    const workspace = runtime.loaded.workspaceDir;
    await mkdir(join(workspace, 'principals', 'user-2'), { recursive: true });
    await writeFile(join(workspace, 'operator.txt'), 'of the operator');
    await writeFile(join(workspace, 'principals', 'user-2', 'two.txt'), 'of user 2');
    const tool = runtime.registry.find('shell.exec');
    const run = (principal: string, command: string, ...args: string[]): Promise<JsonObject> =>
      tool?.execute(
        { command, args },
        {
          ...{ runId: 'run_1' as RunId, agentId: DEFAULT_AGENT_ID, principal, callId: 'call_1' },
          signal: AbortSignal.timeout(60_000),
        },
      ) ?? Promise.reject(new Error('there is no shell.exec'));

    await run('user:1', 'touch', 'one.txt');
    const own = await run('user:1', 'ls', '-A', '.');
    const above = await run('user:1', 'cat', '../../operator.txt', '../user-2/two.txt');
    const absolute = await run('user:1', 'cat', join(workspace, 'principals/user-2/two.txt'));
    const around = await run('user:1', 'find', root, '-name', '*.txt');
    const all = await run(OPERATOR, 'find', '.', '-name', '*.txt');

    expect(own).toMatchObject({ stdout: 'one.txt\n', exit_code: 0 });
    expect([above['stdout'], absolute['stdout']]).toEqual(['', '']);
    expect(around['stdout']).toBe(`${join(workspace, 'principals/user-1/one.txt')}\n`);
    expect(String(all['stdout']).split('\n').filter(Boolean).sort()).toEqual([
      './operator.txt',
      './principals/user-1/one.txt',
      './principals/user-2/two.txt',
    ]);
  },
);
