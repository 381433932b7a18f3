import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MODULE_LIST } from '../../../scripts/lib/ensure-built.mjs';
import { PROGRAM } from '../../support/program.ts';
import { type ClawRoot, openClawRoot } from './claw.ts';

/** Loaded before the program: at the end it writes down which files and parts of Node were loaded. */
const WITNESS = `
const before = new Set(process.moduleLoadList);
process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  const parts = process.moduleLoadList
    .filter((name) => !before.has(name) && name.startsWith('NativeModule '))
    .map((name) => name.slice('NativeModule '.length));
  require('node:fs').writeFileSync(process.env.WITNESS_FILE, JSON.stringify({ files, parts }));
});
`;

/** Of Node, what only servers, databases, network clients, threads and standard streams need. */
const HEAVY_PARTS = [
  'child_process',
  'crypto',
  'fs/promises',
  'http',
  'https',
  'net',
  'sqlite',
  'stream',
  'tls',
  'worker_threads',
  'zlib',
];

/** What the command line itself is made of; all else is behind it. */
const COMMAND_LINE = [
  'src/cli-parts.ts',
  'src/config/',
  'src/core/',
  'src/main.ts',
  'src/operations/',
  'src/platform/',
  'src/start-program.ts',
  'src/surfaces/cli/',
  'src/version.ts',
];

interface Loaded {
  /** Files of the program, without the hashes in their names. */
  readonly files: readonly string[];
  /** Folders behind the command line that sources in these files come from. */
  readonly behind: readonly string[];
  /** Packages of others that are in these files. */
  readonly packages: readonly string[];
  readonly heavyParts: readonly string[];
}

let root: ClawRoot;
let moduleList: Readonly<Record<string, readonly string[]>>;

beforeEach(async () => {
  root = await openClawRoot();
  await writeFile(join(root.path, 'witness.cjs'), WITNESS);
  moduleList = JSON.parse(await readFile(MODULE_LIST, 'utf8'));
});

afterEach(() => root.dispose());

async function watch(...args: readonly string[]): Promise<Loaded> {
  const report = join(root.path, 'loaded.json');
  const { code, stderr } = await root.claw(args, {
    env: { NODE_OPTIONS: `--require=${join(root.path, 'witness.cjs')}`, WITNESS_FILE: report },
  });
  expect([code, stderr]).toEqual([0, '']);
  const { files, parts } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly files: readonly string[];
    readonly parts: readonly string[];
  };
  const paths = files.map((file) => relative(dirname(PROGRAM), file));
  const modules = new Set(paths.flatMap((path) => moduleList[path] ?? `unknown: ${path}`));
  const sources = [...modules].filter((name) => name.startsWith('src/'));
  const behind = sources.filter((source) => !COMMAND_LINE.some((own) => source.startsWith(own)));
  return {
    files: paths.map((path) => basename(path, '.cjs').replace(/-[A-Z0-9]{8}$/, '')),
    behind: [...new Set(behind.map((source) => dirname(source)))].sort(),
    packages: [...modules].filter((name) => !name.startsWith('src/')).sort(),
    heavyParts: HEAVY_PARTS.filter((part) => parts.includes(part)),
  };
}

const NOTHING_BEHIND = { behind: [], packages: [], heavyParts: [] };

test('the version is answered by one file', async () => {
  expect(await watch('--version')).toEqual({ ...NOTHING_BEHIND, files: ['claw'] });
});

test('the list of commands is answered by two files', async () => {
  expect(await watch('help')).toEqual({ ...NOTHING_BEHIND, files: ['claw', 'start'] });
});

test.each([[['help', 'serve']], [['runs', 'list', '--help']], [['help', 'tool']]])(
  '%j loads nothing behind the command line',
  async (args) => {
    expect(await watch(...args)).toMatchObject({ behind: [], packages: [] });
  },
);

test.each([[['list-sessions']], [['load-session', 'latest']]])(
  '%j is answered by three files, with the reading of transcripts and nothing else',
  async (args) => {
    await root.claw(['flush-transcript', '--prompt', 'hello']);

    expect(await watch(...args, '--output-format', 'json')).toEqual({
      files: ['claw', 'start', 'sessions'],
      behind: ['src/storage/transcripts'],
      packages: [],
      heavyParts: [],
    });
  },
);

test.each([[['flush-transcript', 'latest']], [['delete-session', 's1']]])(
  '%j loads what writes transcripts and nothing else',
  async (args) => {
    await root.claw(['flush-transcript', '--prompt', 'hello']);
    const { stdout } = await root.claw(['list-sessions']);
    const id = stdout.trim();

    const { files: _, ...loaded } = await watch(
      ...args.map((word) => (word === 's1' ? id : word)),
      '--output-format',
      'json',
    );

    expect(loaded).toEqual({
      behind: ['src/storage/transcripts'],
      packages: [],
      heavyParts: ['fs/promises'],
    });
  },
);

test.each([
  [['show-tool', 'BashTool']],
  [['tool-pool']],
  [['bootstrap-graph']],
  [['schema', 'route']],
  [['schema', 'runs', 'list']],
])('%j loads nothing behind the command line', async (args) => {
  const { files: _, ...loaded } = await watch(...args, '--output-format', 'json');

  expect(loaded).toEqual(NOTHING_BEHIND);
});

test.each([[['show-command', 'ask']], [['route', 'list my runs']], [['command-graph']]])(
  '%j loads the look for skills and plugins and nothing else',
  async (args) => {
    const { files: _, ...loaded } = await watch(...args, '--output-format', 'json');

    expect(loaded).toEqual({
      behind: ['src/storage/extensions'],
      packages: [],
      heavyParts: ['fs/promises'],
    });
  },
);

test('what a server of the same program answers is read without the schema library', async () => {
  await root.serve();

  for (const args of [['runs', 'list'], ['tool', 'list'], ['agents', 'list'], ['status']]) {
    expect(await watch(...args, '--output-format', 'json'), args.join(' ')).toMatchObject({
      packages: [],
    });
  }
});

test('what a command does load is seen', async () => {
  await root.claw(['ask', 'hello']);

  const { packages, heavyParts } = await watch('config', 'validate', '--output-format', 'json');
  const { behind } = await watch('runs', 'list', '--output-format', 'json');

  expect(packages).toEqual(['zod']);
  expect(heavyParts).toContain('crypto');
  expect(behind).toContain('src/storage/sqlite');
});
