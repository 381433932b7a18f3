// `npm run bench`: runs bench/<name>.ts one after the other, all of them without a name. Prints one markdown table at the
// end and keeps the figures in bench/results.json.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { exitWith, root } from './lib/process.mjs';

const FOLDER = join(root, 'bench');
const RESULTS = join(FOLDER, 'results.json');
// Below the root, so that what looks for the root from its own place finds it.
const BUNDLES = join(root, 'node_modules', '.cache', 'pincer-bench');

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const known = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length));
const USAGE = `Usage: npm run bench -- [name …] [options]

Measures what the program does against what the machine can do at all, and prints a table at the end.
Without a name all are run, one after the other:
  ${known.join(', ')}

Options:
  --quick         a few seconds each: shows that they work, not how fast anything is
  --peers DIR     also measures other programs, installed in DIR; bench/README.md says what must lie there
  --program FILE  another built program than dist/claw.cjs, to compare two
  --profile DIR   writes processor profiles of the measured processes to DIR
  --help          prints this

Figures are kept in bench/results.json. bench/README.md says how they are measured.
`;
const { positionals, values } = readArguments();
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  exitWith(`no such benchmark: ${unknown.join(', ')}; there are: ${known.join(', ')}`, 2);
}
const names = positionals.length > 0 ? positionals : known;

await ensureInstalled();
await ensureBuilt();
await bundle();
const reports = [];
const failed = [];
let isStopped = false;
for (const name of names) {
  const report = await measure(name);
  if (isStopped) exitWith(`stopped while measuring ${name}`, 130);
  if (report) reports.push(report);
  else failed.push(name);
}
if (reports.length > 0) {
  save(reports);
  process.stdout.write(`\n${toMarkdown(reports)}\n`);
}
if (failed.length > 0) exitWith(`failed: ${failed.join(', ')}`);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean' },
        peers: { type: 'string' },
        program: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return exitWith(`${error.message}\n\n${USAGE}`, 2);
  }
}

/**
 * Plain JavaScript, as the program itself ships: a loader that compiles on the fly adds calls around every function,
 * and the measurement would be of those.
 */
async function bundle() {
  const esbuild = await import('esbuild');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      ...names.map((name) => join(FOLDER, `${name}.ts`)),
      // Processes of their own, started by the scripts.
      ...readdirSync(join(FOLDER, 'support'))
        .filter((file) => file.endsWith('-server.ts'))
        .map((file) => join(FOLDER, 'support', file)),
    ],
    outdir: BUNDLES,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.11',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
}

/** Shows what the script prints and keeps its last line, which is its report as JSON. */
function measure(name) {
  const args = [
    ...(values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []),
    join(BUNDLES, `${name}.mjs`),
    ...(values.quick ? ['--quick'] : []),
    ...(values.peers ? ['--peers', values.peers] : []),
    ...(values.program ? ['--program', values.program] : []),
    ...(values.profile ? ['--profile', values.profile] : []),
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    let pending = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const lines = (pending + text).split('\n');
      pending = lines.pop();
      for (const line of lines) {
        if (!line.startsWith('{')) process.stdout.write(`${line}\n`);
      }
    });
    // Whoever stops this script stops what is measured: the child ends what it has started.
    const forward = (signal) => {
      isStopped = true;
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    child.on('close', (code) => {
      for (const signal of SIGNALS) process.off(signal, forward);
      resolve(code === 0 ? parseReport(output) : undefined);
    });
  });
}

function parseReport(output) {
  const line = output
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .at(-1);
  return line === undefined ? undefined : JSON.parse(line);
}

/** Results of benchmarks that did not run this time stay. */
function save(fresh) {
  const before = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')).reports : {};
  const added = Object.fromEntries(
    fresh.map(({ bench, ...report }) => [bench, { at: new Date().toISOString(), ...report }]),
  );
  const document = { machine: describeMachine(), reports: { ...before, ...added } };
  writeFileSync(RESULTS, `${JSON.stringify(document, null, 2)}\n`);
}

function describeMachine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    load_average: loadavg().map((load) => Math.round(load * 100) / 100),
  };
}

function toMarkdown(fresh) {
  const rows = fresh.flatMap(({ bench, rows: measured }) =>
    measured.map(
      ({ what, measured: figure, goal, verdict, note }) =>
        `| ${bench} | ${what} | ${figure} | ${goal} | ${verdict} | ${note} |`,
    ),
  );
  const { cpu, cores, node, load_average: load } = describeMachine();
  return [
    '| bench | what | measured | goal | verdict | note |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    `${cpu}, ${cores} cores, Node ${node}, load average ${load.join(' ')} at the end.`,
  ].join('\n');
}
