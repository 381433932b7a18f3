import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkerId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { bundleScript } from '../support/bundle-script.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { createTestWorkers, isAlive, readLog } from './test-workers.ts';

const SCRIPT = await bundleScript(new URL('worker-process.ts', import.meta.url));
const WAIT = { timeout: 10_000 };
const isLinux = process.platform === 'linux';
if (!isLinux) process.stderr.write('killed servers: skipped, only Linux tells processes apart\n');

/** A server that has attached a program and is asking it something. */
async function startServer(command: string) {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const server = spawn(process.execPath, [SCRIPT, file, command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => kill(server));
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const [id = '', pid = ''] = line.split(' ');
  onTestFinished(() => endProgram(Number(pid)));
  return { file, server, id: id as WorkerId, pid: Number(pid) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function endProgram(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

async function openNext(file: string) {
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => storage.close());
  const next = createTestWorkers(storage);
  onTestFinished(next.stop);
  return { storage, next };
}

test.skipIf(!isLinux)(
  'a program that minds the end of its input ends when its server is killed',
  async () => {
    const { server, pid } = await startServer('example');
    const before = isAlive(pid);

    await kill(server);

    expect(before).toBe(true);
    await expect.poll(() => isAlive(pid), WAIT).toBe(false);
  },
);

test.skipIf(!isLinux)(
  'the next server ends a program that did not, and settles what was left open',
  async () => {
    const { file, server, id, pid } = await startServer('stubborn');
    await kill(server);
    const { storage, next } = await openNext(file);
    const before = isAlive(pid);

    await next.start();

    expect(before).toBe(true);
    await expect.poll(() => isAlive(pid), WAIT).toBe(false);
    const log = await readLog(storage, id);
    expect(log.map(({ type }) => type)).toEqual([
      'worker.started',
      'worker.request.received',
      'worker.error',
      'worker.failed',
    ]);
    expect(log.slice(2).map(({ payload }) => payload)).toMatchObject([
      {
        request_id: 'open',
        response: { error: { code: -32000, data: { outcome: 'unknown' } } },
      },
      { reason: 'host_lost' },
    ]);
  },
);
