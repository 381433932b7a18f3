import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { isMissing } from './errno-of.ts';
import { missingPart } from './missing-part.ts';
import { toTemporaryPath } from './temporary-path.ts';

export interface ChunkLoader {
  load(name: string): unknown;
  /** Runs what is loaded from now on, and whatever else runs, under flags of V8; undefined: as the program was started. */
  useFlags(flags: Flags | undefined): void;
  /** Keeps the compiled code of one chunk that was loaded. Answers false when there is nothing more to keep. */
  keepNext(): boolean;
}

export interface Flags {
  set(): void;
  unset(): void;
}

declare global {
  /** What the parts of the built program load each other with; sources that run unbuilt have none. */
  var __pincerChunks: ChunkLoader | undefined;

  interface ImportMeta {
    /** Put in by the build, which makes CommonJS of the program. */
    readonly require: NodeJS.Require;
  }
}

export interface ChunkLoaderOptions {
  /** The file of the program; its chunks are in a folder beside it. */
  readonly program: string;
  /** Names what was built: a chunk of another build may have the same name and length, and other code. */
  readonly build: string;
  /** The program's own: for what chunks need of Node and of packages. */
  readonly require: NodeJS.Require;
}

interface Compiled {
  readonly name: string;
  readonly script: Script;
}

type Chunk = (...parts: readonly unknown[]) => void;

/**
 * Loads the parts of the built program without Node's search for modules, and has them compiled once for all starts:
 * V8's code is kept in `code-cache/` beside the program. Only who owns the program writes there, and code is taken
 * from nowhere else, so that it is trusted as much as its source. Code that does not fit is left alone.
 */
export function createChunkLoader({ program, build, require }: ChunkLoaderOptions): ChunkLoader {
  const home = dirname(program);
  const folder = join(home, 'chunks');
  const codeFolder = join(home, 'code-cache', `${build}-${process.version}-${process.arch}`);
  const pending: Compiled[] = [];
  let flags: Flags | undefined;

  /** V8 takes compiled code only under the flags that it was made under, and Node brings its own as well. */
  function asStarted<Value>(work: () => Value): Value {
    if (flags === undefined) return work();
    flags.unset();
    try {
      return work();
    } finally {
      flags.set();
    }
  }

  const requireAsStarted = Object.assign(
    (name: string): unknown => asStarted(() => require(name)),
    require,
  );

  function compile(name: string, file: string): Chunk {
    const source = readSource(file);
    const cachedData = readCode(join(codeFolder, name), file);
    const code = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
    const options = { filename: file, ...(cachedData && { cachedData }) };
    const script = asStarted(() => new Script(code, options));
    if (script.cachedDataRejected !== false) pending.push({ name, script });
    return script.runInThisContext() as Chunk;
  }

  return {
    load(name) {
      const file = join(folder, name);
      const known = require.cache[file];
      if (known !== undefined) return known.exports;
      const run = compile(name, file);
      const module = { exports: {}, id: file, filename: file } as NodeJS.Module;
      // Before it runs: parts that need each other see what there is of each so far.
      require.cache[file] = module;
      try {
        run.call(module.exports, module.exports, requireAsStarted, module, file, folder);
      } catch (error) {
        delete require.cache[file];
        throw error;
      }
      return module.exports;
    },

    useFlags(next) {
      flags?.unset();
      flags = next;
      flags?.set();
    },

    keepNext() {
      const compiled = pending.shift();
      if (compiled === undefined) return false;
      try {
        if (isOwner(join(folder, compiled.name))) {
          asStarted(() => keepCode(codeFolder, compiled));
          return true;
        }
      } catch {
        // The disk is full or read-only, or the installation was moved away. Nobody waits for this: it is made again.
      }
      pending.length = 0;
      return false;
    },
  };
}

function readSource(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // What the system says of it would read as if a file of the operator's were meant.
    throw isMissing(error) ? missingPart(file, error) : error;
  }
}

function readCode(file: string, source: string): Buffer | undefined {
  try {
    const bytes = readTrusted(file, source);
    if (bytes === undefined) return undefined;
    const half = bytes.length / 2;
    // V8 ends the process over code that is damaged. It is there twice: comparing takes less than any checksum would.
    const isWhole = half > 0 && bytes.compare(bytes, half, undefined, 0, half) === 0;
    return isWhole ? bytes.subarray(0, half) : undefined;
  } catch {
    return undefined;
  }
}

const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
const WRITABLE_BY_OTHERS = 0o022;

/** Undefined when others than who owns the source may have written it. */
function readTrusted(file: string, source: string): Buffer | undefined {
  const open = openSync(file, 'r');
  try {
    const { mode, uid } = fstatSync(open);
    const isTrusted = (mode & WRITABLE_BY_OTHERS) === 0 && uid === statSync(source).uid;
    // Without users there are no such modes either.
    return isTrusted || process.geteuid === undefined ? readFileSync(open) : undefined;
  } finally {
    closeSync(open);
  }
}

/** Others would leave files in an installation that its owner can't remove. */
function isOwner(source: string): boolean {
  const own = process.geteuid?.();
  return own === undefined || own === statSync(source).uid;
}

/** Whoever reads at the same time sees nothing or all of it. */
function keepCode(folder: string, { name, script }: Compiled): void {
  const code = script.createCachedData();
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const temporary = toTemporaryPath(join(folder, name));
  try {
    writeFileSync(temporary, Buffer.concat([code, code]), { mode: FILE_MODE, flag: 'wx' });
    renameSync(temporary, join(folder, name));
  } catch (error) {
    // Every command would leave one more on a disk that is full.
    rmSync(temporary, { force: true });
    throw error;
  }
}
