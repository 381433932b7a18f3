// Memory and processor time of a server that nobody asks anything, against a Node that only waits.
import { spawn } from 'node:child_process';
import { readOptions } from './support/options.ts';
import { readResidentMegabytes, readThreadCpuMs } from './support/process-usage.ts';
import { limitRow, printReport } from './support/report.ts';
import { openServerProcess } from './support/server-process.ts';

const { isQuick } = readOptions();
// What is loaded after the start has to be there when the measuring begins.
const settleMs = isQuick ? 1_000 : 5_000;
const idleMs = isQuick ? 2_000 : 10_000;

const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' });
process.once('exit', () => bare.kill('SIGKILL'));
const server = await openServerProcess();
await sleep(settleMs);
const before = readThreadCpuMs(server.pid).allMs;
await sleep(idleMs);
const cpuPercent = ((readThreadCpuMs(server.pid).allMs - before) / idleMs) * 100;
const residentMb = readResidentMegabytes(server.pid);
const bareMb = readResidentMegabytes(bare.pid ?? 0);
bare.kill('SIGKILL');
await server.stop();

printReport({
  bench: 'idle',
  rows: [
    limitRow('idle server, resident memory', residentMb, {
      unit: 'MB',
      max: 120,
      digits: 0,
      note: `bare Node ${bareMb.toFixed(0)} MB`,
    }),
    limitRow(`idle server, processor time over ${idleMs / 1000} s`, cpuPercent, {
      unit: '%',
      max: 1,
      note: 'of one core, as the scheduler counts it',
    }),
  ],
  figures: { resident_mb: residentMb, bare_mb: bareMb, cpu_percent: cpuPercent },
});

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
