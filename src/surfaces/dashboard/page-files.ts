import { readdir, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { isMissing } from '../../platform/errno-of.ts';

export type Encoding = 'br' | 'gzip';

/** A file that was built, by its path in the folder. */
export interface PageFile {
  readonly path: string;
  /** What the build has compressed it to. */
  readonly encodings: readonly Encoding[];
}

export interface PageFiles {
  /** By the rest of a URL, which is looked up and never walked along. */
  find(path: string): Promise<PageFile | undefined>;
  /** The page that finds its way by itself; undefined when nothing was built. */
  findIndex(): Promise<PageFile | undefined>;
}

const INDEX = 'index.html';
export const SUFFIXES = { br: '.br', gzip: '.gz' } as const satisfies Record<Encoding, string>;
/** Best first. */
const ENCODINGS = ['br', 'gzip'] as const satisfies readonly Encoding[];

/** What is in the folder is read when it is first asked for, and again when somebody has built anew. */
export function createPageFiles(folder: string): PageFiles {
  let read:
    | { readonly builtAtMs: number; readonly files: ReadonlyMap<string, PageFile> }
    | undefined;

  async function files(): Promise<ReadonlyMap<string, PageFile>> {
    read ??= { builtAtMs: await builtAt(folder), files: await listFiles(folder) };
    return read.files;
  }

  return {
    find: async (path) => (await files()).get(path),

    async findIndex() {
      if (read?.builtAtMs !== (await builtAt(folder))) read = undefined;
      return (await files()).get(INDEX);
    },
  };
}

/** The build writes the page last. */
async function builtAt(folder: string): Promise<number> {
  const stats = await unlessMissing(stat(join(folder, INDEX)));
  return stats?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

async function listFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const all = (await unlessMissing(readdir(folder, { recursive: true }))) ?? [];
  const paths = new Set(all.map((path) => path.split(sep).join('/')));
  const compressed = new Set(Object.values<string>(SUFFIXES));
  const plain = [...paths].filter((path) => {
    const extension = extname(path);
    return extension !== '' && !compressed.has(extension);
  });
  return new Map(
    plain.map((path) => {
      const encodings = ENCODINGS.filter((encoding) => paths.has(path + SUFFIXES[encoding]));
      return [path, { path, encodings }];
    }),
  );
}

async function unlessMissing<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
