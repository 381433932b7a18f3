import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { awaitQuiet, end, prepareRoot, type ServerSetup, toEnvironment } from './server-process.ts';
import type { Anatomy } from './stage-clock.ts';
import { openTempDir } from './temp-dir.ts';

export interface MeasuredServer {
  readonly port: number;
  awaitQuiet(): Promise<void>;
  /** What was measured since the last time. */
  take(): Promise<Anatomy>;
  stop(): Promise<void>;
}

/** The server from its sources, in a process of its own, with a tracer that measures its stages. */
export async function openMeasuredServer(setup: ServerSetup): Promise<MeasuredServer> {
  const dir = openTempDir();
  prepareRoot(dir.path, setup);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'anatomy-server.mjs'), dir.path],
    { env: toEnvironment(setup), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  process.prependOnceListener('exit', () => child.kill('SIGKILL'));
  const [url] = (await once(child, 'message')) as [string];
  return {
    port: Number(new URL(url).port),
    awaitQuiet: () => awaitQuiet(child.pid ?? 0),
    async take() {
      const answer = once(child, 'message');
      child.send('take');
      const [anatomy] = (await answer) as [Anatomy];
      return anatomy;
    },
    async stop() {
      await end(child, 'SIGKILL');
      dir.remove();
    },
  };
}
