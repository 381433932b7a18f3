import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { digestInputs } from './ensure-built.mjs';
import { root } from './process.mjs';

const SOURCES = join(root, 'dashboard');
const OUTPUT = 'dashboard';
const COMPRESSED = /\.(html|js|css|svg)$/;

/** What the pages are made of, wherever their sources import from. */
const OWN_INPUTS = ['dashboard', 'package.json', 'package-lock.json', 'scripts/lib'];

/**
 * The pages, each file with its compressed forms, unless `before` is of these very sources. Undefined: those of before
 * stay. `inputs` are the sources beyond their own folder, which the next build asks about.
 */
export async function buildDashboard(before) {
  if (isCurrent(before)) return { ...before, files: undefined };
  // Whatever the caller's is, a test runner's for one: with another the pages would be larger, slower, and for developers.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const began = digestOf(['src']);
  const taken = new Set();
  const output = await build({
    configFile: join(SOURCES, 'vite.config.ts'),
    logLevel: 'warn',
    build: { write: false, sourcemap: false },
    plugins: [noteInputs(taken)],
  }).catch(explain);
  const inputs = [...taken].sort();
  const made = output.output.map(({ fileName, code, source }) => [fileName, code ?? source]);
  const files = await Promise.all([...made, ...readPublic()].map(toFiles));
  // A file saved meanwhile makes the next one build again.
  const digest = began === digestOf(['src']) ? digestOf(inputs) : '';
  return { inputs, digest, files: files.flat() };
}

function isCurrent(before) {
  if (before === undefined) return false;
  const isThere = before.paths.every((path) => existsSync(join(root, path)));
  return isThere && before.digest === digestOf(before.inputs);
}

function digestOf(inputs) {
  return digestInputs([...OWN_INPUTS, ...inputs]);
}

/** Modules of this repository that are not in the folder of the pages. */
function noteInputs(taken) {
  return {
    name: 'note-inputs',
    load(id) {
      const path = relative(root, id.replace(/\?.*/, ''));
      if (path.startsWith('src/')) taken.add(path);
    },
  };
}

/** Written beside the rest, as the rest is: the bundler would copy them itself only if it wrote all. */
function readPublic() {
  const folder = join(SOURCES, 'public');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => [relative(folder, path), readFileSync(path)]);
}

async function toFiles([name, content]) {
  const path = `${OUTPUT}/${name}`;
  const bytes = Buffer.from(content);
  if (!COMPRESSED.test(name)) return [{ path, code: bytes }];
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  const forms = [
    { path: `${path}.br`, code: br },
    { path: `${path}.gz`, code: gz },
  ];
  return [{ path, code: bytes }, ...forms.filter(({ code }) => code.length < bytes.length)];
}

/** The bundler's errors look like those of the program's bundler, which has printed its own by then. */
function explain(error) {
  if (error.code === 'ERR_MODULE_NOT_FOUND') throw error;
  throw new Error(`the pages of the dashboard can't be built: ${error.message}`);
}
