// Time from starting the program to its first answer, against Node doing nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compareInBlocks, type Side } from './support/blocks.ts';
import { readOptions } from './support/options.ts';
import { limitRow, printReport, type Row } from './support/report.ts';
import { openServerProcess } from './support/server-process.ts';
import { median } from './support/statistics.ts';
import { openTempDir } from './support/temp-dir.ts';

const { isQuick, program } = readOptions();
const rounds = isQuick ? 3 : 15;
// Kept from start to start: a restart is what happens most, and its files are there already.
const dir = openTempDir();

interface Timed extends Side {
  readonly timesMs: number[];
}

/** Blocks compare rates, more being better: here starts per second. */
function createSide(name: string, once: () => Promise<number>): Timed {
  const timesMs: number[] = [];
  return {
    name,
    timesMs,
    async measure() {
      const timeMs = await once();
      timesMs.push(timeMs);
      return 1000 / timeMs;
    },
  };
}

async function timeCommand(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  // As the server below: what whoever measures has set for Node must not be in the control.
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return performance.now() - startedAt;
}

async function timeServer(): Promise<number> {
  const server = await openServerProcess({ root: dir.path });
  await server.stop('SIGTERM');
  return server.startMs;
}

const bare = createSide('node -e 0', () => timeCommand(['-e', '0']));
const version = createSide('claw --version', () => timeCommand([program, '--version']));
const server = createSide('claw serve', timeServer);
const [ofVersion, ofServer] = await compareInBlocks(bare, [version, server], rounds);
dir.remove();
if (!ofVersion || !ofServer) throw new Error('nothing was compared');

/** The first block was dropped from the ratios; it is not in the times either. */
const typical = (side: Timed) => median(side.timesMs.slice(1));

function timeRow(what: string, comparison: typeof ofVersion, maxRatio: number): Row {
  const times = 1 / (comparison?.ratio ?? Number.NaN);
  return limitRow(what, times, {
    unit: '×',
    max: maxRatio,
    isVoid: comparison?.isVoid ?? true,
    note: `${typical(version).toFixed(0)} ms against ${typical(bare).toFixed(0)} ms of node -e 0`,
  });
}

printReport({
  bench: 'start',
  rows: [
    limitRow('claw serve to first 200, warm', typical(server) / 1000, {
      unit: 's',
      max: 0.4,
      digits: 3,
      isVoid: ofServer.isVoid,
      note: `lowest ${Math.min(...server.timesMs).toFixed(0)} ms, highest ${Math.max(...server.timesMs).toFixed(0)} ms; node -e 0 takes ${typical(bare).toFixed(0)} ms`,
    }),
    timeRow('claw --version / node -e 0', ofVersion, 1.06),
  ],
  figures: {
    first_answer_ms: typical(server),
    version_ms: typical(version),
    bare_node_ms: typical(bare),
    control_spread: ofServer.controlSpread,
  },
});
