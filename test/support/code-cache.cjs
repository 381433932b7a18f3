// Loaded before the built program on a Node that can't keep compiled code by itself (the program asks for it on newer
// ones): tests start the program hundreds of times, and compiling it is half of each start.
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, join } = require('node:path');
const vm = require('node:vm');

const ROOT = join(__dirname, '../..');
const DIST = join(ROOT, 'dist');
/** A server that is killed never gets to its end: it keeps what it compiled once it has run for a while. */
const KEEP_AFTER_MS = 1_500;

const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
const folder = findFolder();
const compiled = [];

if (folder !== undefined && importModuleDynamically !== undefined) {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename) {
    if (!filename.startsWith(DIST)) return compile.call(this, content, filename);
    return run(this, content, filename);
  };
  process.once('exit', keep);
  setTimeout(keep, KEEP_AFTER_MS).unref();
}

/** A folder for each build; servers and commands run different parts of the files that they share. */
function findFolder() {
  try {
    const { mtimeMs } = statSync(join(DIST, '.build-stamp'));
    const kind = process.argv[2] === 'serve' ? 'serve' : 'command';
    const name = `${kind}-${process.version}-${mtimeMs}`;
    return join(ROOT, 'node_modules/.cache/pincer-test', name);
  } catch {
    return undefined;
  }
}

function run(module, content, filename) {
  const file = join(folder, `${basename(filename)}.bin`);
  const source = Module.wrap(content.replace(/^#!/, '//'));
  const cachedData = read(file);
  const script = new vm.Script(source, { filename, cachedData, importModuleDynamically });
  if (cachedData === undefined || script.cachedDataRejected) compiled.push({ file, script });
  const require = Object.assign((id) => module.require(id), {
    resolve: (id, options) => Module._resolveFilename(id, module, false, options),
    main: process.mainModule,
    cache: Module._cache,
  });
  const call = script.runInThisContext();
  return call.call(module.exports, module.exports, require, module, filename, dirname(filename));
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function keep() {
  try {
    if (compiled.length > 0) mkdirSync(folder, { recursive: true });
    for (const { file, script } of compiled.splice(0)) {
      const temporary = `${file}.${process.pid}.tmp`;
      writeFileSync(temporary, script.createCachedData());
      renameSync(temporary, file);
    }
  } catch {
    // Another user's process, or a full disk: the next one compiles again.
  }
}
