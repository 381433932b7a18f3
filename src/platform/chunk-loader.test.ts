import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChunkLoader, createChunkLoader } from './chunk-loader.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pincer-chunks-'));
  await mkdir(join(home, 'chunks'));
});

afterEach(() => {
  globalThis.__pincerSaid = undefined;
  return rm(home, { recursive: true, force: true });
});

/** As a process of its own would: nothing is loaded yet. */
function open(build = 'b1'): ChunkLoader {
  const require = createRequire(join(home, 'claw.cjs'));
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(home)) delete require.cache[file];
  }
  return createChunkLoader({ program: join(home, 'claw.cjs'), build, require });
}

const write = (name: string, code: string) => writeFile(join(home, 'chunks', name), code);

/** As a start has them. */
const SMALL_HEAP = {
  set: () => setFlagsFromString('--semi-space-growth-factor=1'),
  unset: () => setFlagsFromString('--semi-space-growth-factor=2'),
};

declare global {
  var __pincerSaid: string[] | undefined;
}

function keepAll(chunks: ChunkLoader): number {
  let count = 0;
  while (chunks.keepNext()) count += 1;
  return count;
}

async function findCode(): Promise<string> {
  const paths = await readdir(join(home, 'code-cache'), { recursive: true });
  return join(home, 'code-cache', paths.find((path) => path.endsWith('.cjs')) ?? '');
}

const ANSWER = `
function greet(name) { return 'hello ' + name; }
exports.greeting = greet('world');
exports.file = __filename;
exports.sep = require('node:path').sep;
`;

test('a chunk has what a module has, and is loaded once', async () => {
  await write('answer.cjs', ANSWER);
  const chunks = open();

  const loaded = chunks.load('answer.cjs');

  const file = join(home, 'chunks', 'answer.cjs');
  expect(loaded).toEqual({ greeting: 'hello world', file, sep: '/' });
  expect(chunks.load('answer.cjs')).toBe(loaded);
});

test('what was compiled once is not compiled again', async () => {
  await write('answer.cjs', ANSWER);
  const first = open();
  first.load('answer.cjs');
  expect(keepAll(first)).toBe(1);

  const second = open();

  expect(second.load('answer.cjs')).toMatchObject({ greeting: 'hello world' });
  expect(keepAll(second)).toBe(0);
});

test.each([
  ['cut off', (code: Buffer) => code.subarray(0, code.length - 3)],
  ['cut in half', (code: Buffer) => code.subarray(0, code.length / 2)],
  ['with a hole', (code: Buffer) => Buffer.from(code).fill(0, 100, 400)],
  ['with one bit flipped', flipBit],
  ['empty', () => Buffer.alloc(0)],
])('code that is %s is not run, and is made again', async (_, damage) => {
  await write('answer.cjs', ANSWER);
  const first = open();
  first.load('answer.cjs');
  keepAll(first);
  const file = await findCode();
  await writeFile(file, damage(await readFile(file)));

  const second = open();

  expect(second.load('answer.cjs')).toMatchObject({ greeting: 'hello world' });
  expect(keepAll(second)).toBe(1);
  const third = open();
  third.load('answer.cjs');
  expect(keepAll(third)).toBe(0);
});

function flipBit(code: Buffer): Buffer {
  const damaged = Buffer.from(code);
  const place = Math.floor(code.length / 3);
  damaged.writeUInt8(damaged.readUInt8(place) ^ 0x10, place);
  return damaged;
}

test('code of another build is not taken, whatever its chunk is called', async () => {
  await write('answer.cjs', `exports.value = 'old';`);
  const first = open('b1');
  first.load('answer.cjs');
  keepAll(first);
  await write('answer.cjs', `exports.value = 'new';`);

  expect(open('b2').load('answer.cjs')).toEqual({ value: 'new' });
});

test('flags hold for what runs, and not where code is compiled, kept or taken from Node', async () => {
  const said: string[] = [];
  globalThis.__pincerSaid = said;
  await write('answer.cjs', `globalThis.__pincerSaid.push('ran'); require('node:path');`);
  const flags = { set: () => void said.push('set'), unset: () => void said.push('unset') };
  const chunks = open();

  chunks.useFlags(flags);
  chunks.load('answer.cjs');
  chunks.useFlags(undefined);

  const compiling = ['unset', 'set'];
  const ofNode = ['unset', 'set'];
  expect(said).toEqual(['set', ...compiling, 'ran', ...ofNode, 'unset']);
  expect(keepAll(chunks)).toBe(1);
  expect(said).toHaveLength(7);
});

test('code that was loaded under flags is there for a start without them', async () => {
  await write('answer.cjs', ANSWER);
  const chunks = open();
  chunks.useFlags(SMALL_HEAP);
  chunks.load('answer.cjs');
  expect(keepAll(chunks)).toBe(1);
  chunks.useFlags(undefined);

  const usual = open();
  usual.load('answer.cjs');

  expect(keepAll(usual)).toBe(0);
});

test('a start beside an installation that nobody may write to compiles, and says nothing', async () => {
  await write('answer.cjs', ANSWER);
  // A file in its place, since no mode keeps a superuser from writing.
  await writeFile(join(home, 'code-cache'), '');
  await chmod(home, 0o555);
  const chunks = open();

  expect(chunks.load('answer.cjs')).toMatchObject({ greeting: 'hello world' });
  expect(keepAll(chunks)).toBe(0);
  await chmod(home, 0o755);
});

test('an installation that was moved away keeps nothing, and throws nothing', async () => {
  await write('answer.cjs', ANSWER);
  const chunks = open();
  chunks.load('answer.cjs');
  const elsewhere = `${home}-moved`;
  await rename(home, elsewhere);

  const kept = keepAll(chunks);

  await rename(elsewhere, home);
  expect(kept).toBe(0);
});

test('code that could not be put in place leaves nothing behind', async () => {
  await write('answer.cjs', ANSWER);
  const first = open();
  first.load('answer.cjs');
  keepAll(first);
  const file = await findCode();
  await rm(file);
  // In its way, as nothing else could be for a superuser.
  await mkdir(join(file, 'folder'), { recursive: true });

  const second = open();
  second.load('answer.cjs');

  expect(keepAll(second)).toBe(0);
  expect(await readdir(dirname(file))).toEqual(['answer.cjs']);
});

test('code is readable for all and written by its owner, whatever the umask', async () => {
  await write('answer.cjs', ANSWER);
  const chunks = open();
  chunks.load('answer.cjs');

  const umask = process.umask(0);
  keepAll(chunks);
  process.umask(umask);

  const file = await findCode();
  const modes = [file, dirname(file), join(home, 'code-cache')].map(
    async (path) => (await stat(path)).mode & 0o777,
  );
  expect(await Promise.all(modes)).toEqual([0o644, 0o755, 0o755]);
});

test.each([0o664, 0o646])('code that others may write (%o) is not run', async (mode) => {
  await write('answer.cjs', ANSWER);
  const first = open();
  first.load('answer.cjs');
  keepAll(first);
  await chmod(await findCode(), mode);

  const second = open();

  expect(second.load('answer.cjs')).toMatchObject({ greeting: 'hello world' });
  expect(keepAll(second)).toBe(1);
});

test('chunks that need each other see what there is so far', async () => {
  await write(
    'a.cjs',
    `exports.name = 'a'; exports.ofB = globalThis.__pincerChunks.load('b.cjs').name;`,
  );
  await write('b.cjs', `exports.name = 'b of ' + globalThis.__pincerChunks.load('a.cjs').name;`);
  globalThis.__pincerChunks = open();

  try {
    expect(globalThis.__pincerChunks.load('a.cjs')).toEqual({ name: 'a', ofB: 'b of a' });
  } finally {
    globalThis.__pincerChunks = undefined;
  }
});

test('what failed to load is tried again by who needs it next', async () => {
  await write('late.cjs', `throw new Error('not yet');`);
  const chunks = open();
  expect(() => chunks.load('late.cjs')).toThrow('not yet');
  expect(() => chunks.load('missing.cjs')).toThrow(
    `a part of the program is missing: ${join(home, 'chunks', 'missing.cjs')}`,
  );

  await write('late.cjs', `exports.value = 1;`);

  expect(chunks.load('late.cjs')).toEqual({ value: 1 });
  expect(existsSync(join(home, 'code-cache'))).toBe(false);
});
