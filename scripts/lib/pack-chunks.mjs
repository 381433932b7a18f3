import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import * as esbuild from 'esbuild';

const NAMESPACE = 'chunk';
const HASH = /-[A-Z0-9]{8}\.js$/;
const MAX_SHARED_CHARS = 2_000;
const STATIC_IMPORT = /^(?:import|export)\b[^;"]*"(\.{1,2}\/[^"]+)";/gm;

/**
 * Merges chunks that are loaded together into one file, a pack: finding, reading and compiling a file takes Node as
 * long as running what a short command needs of it. A pack has its entries and what they import; what several packs
 * would have is in the first of all, which every command loads, and so is what is small and used by others too: no
 * other command should load a pack for a few lines of it. The program's own file repeats what it imports, so that what it answers by itself needs no other;
 * it must not import anything that keeps state.
 *
 * `packs` are entries, the names of chunks without their hashes, by the name of their pack. Answers with the files that
 * are left, each with the files that went into it, and for every chunk in a pack where it is: the file and the name
 * under which that exports it.
 */
export async function packChunks({ files, program, packs }) {
  const codes = new Map(files.map(({ path, code }) => [path, code]));
  const homes = new Map();
  const packed = [];
  for (const [name, members] of assignMembers(codes, packs)) {
    const exports = members.map((path) => `export * as ${toName(path)} from "./${path}";`);
    const code = await merge(codes, exports.join('\n'), (path) => members.includes(path));
    const path = `chunks/${name}-${toHash(code)}.js`;
    packed.push({ path, code, members });
    for (const member of members) homes.set(member, { path, name: toName(member) });
  }
  const own = findImported(codes, [program]);
  const code = await merge(codes, `import "./${program}";`, () => true);
  const others = files.filter(({ path }) => path !== program && !homes.has(path));
  return {
    files: [
      { path: program, code, members: own },
      ...others.map((file) => ({ ...file, members: [file.path] })),
      ...packed,
    ],
    homes,
  };
}

/** Every pack with its chunks. */
function assignMembers(codes, packs) {
  const wanted = Object.values(packs).map((entries) =>
    findImported(
      codes,
      entries.map((entry) => getChunk(codes, entry)),
    ),
  );
  const isInSeveral = (path) => wanted.filter((members) => members.includes(path)).length > 1;
  const all = new Set(wanted.flat());
  const others = [...codes.keys()].filter((path) => !all.has(path));
  const elsewhere = new Set(others.flatMap((path) => listImports(codes, path)));
  const isSmall = (path) => measure(codes, path, wanted[0]) <= MAX_SHARED_CHARS;
  const moved = [...all].filter(
    (path) => isInSeveral(path) || (elsewhere.has(path) && isSmall(path)),
  );
  const first = new Set(findImported(codes, [...wanted[0], ...moved]));
  const [firstName, ...names] = Object.keys(packs);
  return [
    [firstName, [...first]],
    ...names.map((name, index) => [name, wanted[index + 1].filter((path) => !first.has(path))]),
  ];
}

/** What comes with a chunk, in characters, beside what is there anyway. */
function measure(codes, path, present) {
  return findImported(codes, [path])
    .filter((imported) => !present.includes(imported))
    .reduce((sum, imported) => sum + codes.get(imported).length, 0);
}

function getChunk(codes, name) {
  const path = [...codes.keys()].find((known) => known.replace(HASH, '') === `chunks/${name}`);
  if (path === undefined) throw new Error(`no source has become a chunk named ${name}`);
  return path;
}

function listImports(codes, path) {
  const found = codes.get(path).matchAll(STATIC_IMPORT);
  return [...found].map(([, imported]) => posix.join(posix.dirname(path), imported));
}

/** The files themselves and all that is loaded with them. */
function findImported(codes, starts) {
  const found = new Set(starts);
  for (const path of found) {
    for (const imported of listImports(codes, path)) found.add(imported);
  }
  return [...found];
}

/** As a file of `chunks/` or, for the program, above it: what is not merged is named as seen from there. */
async function merge(codes, contents, isMerged) {
  const from = contents.startsWith('import') ? '.' : 'chunks';
  const { outputFiles } = await esbuild.build({
    stdin: { contents, sourcefile: 'pack.js', loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.11',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [readFrom({ codes, isMerged, from })],
  });
  return outputFiles[0].text;
}

function readFrom({ codes, isMerged, from }) {
  return {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, importer, kind }) => {
        const file = posix.join(codes.has(importer) ? posix.dirname(importer) : '.', path);
        if (kind !== 'dynamic-import' && isMerged(file))
          return { path: file, namespace: NAMESPACE };
        return { path: toSpecifier(posix.relative(from, file)), external: true };
      });
      build.onResolve({ filter: /^[^.]/ }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: codes.get(path),
        loader: 'js',
      }));
    },
  };
}

function toSpecifier(path) {
  return path.startsWith('.') ? path : `./${path}`;
}

function toName(path) {
  return posix.basename(path, '.js').replace(/\W/g, '_');
}

/** Names change with what is in them, so that a program started during a build never mixes two of them. */
function toHash(code) {
  return createHash('sha256').update(code).digest('hex').slice(0, 8).toUpperCase();
}
