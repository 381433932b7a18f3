import { posix } from 'node:path';
import * as esbuild from 'esbuild';

const IMPORT_META_URL = '__importMetaUrl';
const DEFINE_IMPORT_META_URL = `const ${IMPORT_META_URL} = require('node:url').pathToFileURL(__filename).href;`;

/**
 * Last pass over one output of an ES module build with splitting. CommonJS starts faster, and
 * esbuild splits only ES modules; together they give shared chunks and `import()` as lazy require.
 * `siblings` are the paths of all outputs, relative to dist/ like `path`; `homes` are the packs
 * and names of chunks that are in one.
 */
export async function toCommonJs({ path, code, siblings, homes, isBin = false }) {
  const result = await esbuild.transform(code, {
    loader: 'js',
    format: 'cjs',
    platform: 'node',
    target: 'node20.11',
    charset: 'ascii',
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': IMPORT_META_URL,
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
      'import.meta.require': 'require',
    },
    logLevel: 'error',
  });
  const folder = posix.dirname(path);
  const body = result.code.replace(/\brequire\("(\.{1,2}\/[^"]+\.js)"\)/g, (call, specifier) => {
    const target = posix.join(folder, specifier);
    const home = homes.get(target);
    if (home) return `${loadChunk(home.path)}.${home.name}`;
    return siblings.has(target) ? loadChunk(target) : call;
  });
  const header = [
    ...(isBin ? ['#!/usr/bin/env node'] : []),
    // The sources are modules, hence strict; esbuild does not carry that over.
    '"use strict";',
    ...(body.includes(IMPORT_META_URL) ? [DEFINE_IMPORT_META_URL] : []),
  ];
  return {
    path: toCommonJsPath(path),
    code: `${header.join('\n')}\n${body.replace(/^#!.*\n/, '')}`,
    isBin,
  };
}

/** By the program's own loader: see `src/platform/chunk-loader.ts`. */
function loadChunk(path) {
  return `__pincerChunks.load("${toCommonJsPath(posix.relative('chunks', path))}")`;
}

export function toCommonJsPath(path) {
  return path.replace(/\.js$/, '.cjs');
}
