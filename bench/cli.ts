// Time that short commands take from spawn to end, against Node doing nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Comparison, compareInBlocks, type Side } from './support/blocks.ts';
import { readOptions } from './support/options.ts';
import { readEndedChildrenCpuSeconds } from './support/process-usage.ts';
import { limitRow, percent, printReport, type Row } from './support/report.ts';
import { median } from './support/statistics.ts';
import { openTempDir } from './support/temp-dir.ts';

const { isQuick, program, profileDir } = readOptions();
const rounds = isQuick ? 2 : 15;
/** Starts of a block. Its figure is their median: one start that something got in the way of must not decide. */
const startsPerBlock = isQuick ? 1 : 5;
const TRANSCRIPTS = 5;
const dir = openTempDir();

interface Timed extends Side {
  /** Medians of all blocks, the first included. */
  readonly timesMs: number[];
  /** Processor time of all starts but those of the first block. */
  cpuSeconds: number;
}

interface Command {
  readonly args: readonly string[];
  readonly maxRatio?: number;
}

const COMMANDS: readonly Command[] = [
  { args: ['--version'], maxRatio: 1.06 },
  { args: ['help'] },
  { args: ['list-sessions', '--output-format', 'json'], maxRatio: 1.2 },
  { args: ['load-session', 'latest', '--output-format', 'json'], maxRatio: 1.2 },
  { args: ['show-tool', 'BashTool', '--output-format', 'json'] },
  { args: ['route', 'list my runs', '--output-format', 'json'] },
];

/** Through a pipe, as scripts read it: what a program sets up to write depends on what it writes to. */
async function start(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: dir.path,
    // Nothing of whoever measures: formats, roots, and what slows Node down, as certificates that it reads at its start
    // do. In the control they would hide what we add.
    env: { PATH: process.env['PATH'], HOME: dir.path, TMPDIR: dir.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return output;
}

/** Blocks compare rates, more being better: here starts per second. */
function createSide(name: string, args: readonly string[]): Timed {
  const side: Timed = {
    name,
    timesMs: [],
    cpuSeconds: 0,
    async measure() {
      const isFirst = side.timesMs.length === 0;
      const cpuBefore = readEndedChildrenCpuSeconds();
      const timesMs: number[] = [];
      for (let count = 0; count < startsPerBlock; count += 1) {
        const startedAt = performance.now();
        await start(args);
        timesMs.push(performance.now() - startedAt);
      }
      if (!isFirst) side.cpuSeconds += readEndedChildrenCpuSeconds() - cpuBefore;
      side.timesMs.push(median(timesMs));
      return 1000 / median(timesMs);
    },
  };
  return side;
}

/** The first block was dropped from the ratios; it is not in the times either. */
const typical = (side: Timed) => median(side.timesMs.slice(1));

function toRow(side: Timed, comparison: Comparison, maxRatio: number | undefined): Row {
  const { ratio, lowest, highest, controlSpread, isVoid } = comparison;
  return limitRow(`${side.name} / node -e 0`, 1 / ratio, {
    unit: '×',
    isVoid,
    ...(maxRatio === undefined ? {} : { max: maxRatio }),
    note:
      `${typical(side).toFixed(0)} ms against ${typical(bare).toFixed(0)} ms; ratio ${(1 / highest).toFixed(2)} to ` +
      `${(1 / lowest).toFixed(2)}, control ± ${percent(controlSpread / 2)}; ` +
      `processor time ${(side.cpuSeconds / bare.cpuSeconds).toFixed(2)} ×`,
  });
}

for (let count = 0; count < TRANSCRIPTS; count += 1) {
  await start([program, 'flush-transcript', '--prompt', `message ${count}`]);
}
const bare = createSide('node -e 0', ['-e', '0']);
const profiling =
  profileDir === undefined
    ? []
    : ['--cpu-prof', '--cpu-prof-interval=100', `--cpu-prof-dir=${profileDir}`];
const sides = COMMANDS.map(({ args }) =>
  createSide(`claw ${args[0]}`, [...profiling, program, ...args]),
);
const comparisons = await compareInBlocks(bare, sides, rounds);
dir.remove();

printReport({
  bench: 'cli',
  rows: sides.map((side, index) => {
    const comparison = comparisons[index];
    if (comparison === undefined) throw new Error(`${side.name} was not compared`);
    return toRow(side, comparison, COMMANDS[index]?.maxRatio);
  }),
  figures: {
    bare_node_ms: typical(bare),
    control_spread: comparisons[0]?.controlSpread ?? Number.NaN,
    ...Object.fromEntries(sides.flatMap((side, index) => toFigures(side, comparisons[index]))),
  },
});

function toFigures(side: Timed, comparison: Comparison | undefined): [string, number][] {
  const name = side.name.slice('claw '.length).replace(/^-+/, '').replaceAll('-', '_');
  return [
    [`${name}_ms`, typical(side)],
    [`${name}_ratio`, 1 / (comparison?.ratio ?? Number.NaN)],
    [`${name}_processor_ratio`, side.cpuSeconds / bare.cpuSeconds],
  ];
}
