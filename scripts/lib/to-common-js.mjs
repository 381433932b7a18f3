import { posix } from 'node:path';
import * as esbuild from 'esbuild';

const IMPORT_META_URL = '__importMetaUrl';
const DEFINE_IMPORT_META_URL = `const ${IMPORT_META_URL} = require('node:url').pathToFileURL(__filename).href;`;

/**
 * Second pass over one output of an ES module build with splitting. CommonJS starts faster, and
 * esbuild splits only ES modules; together they give shared chunks and `import()` as lazy require.
 * `siblings` are the paths of all outputs, relative to dist/ like `path`.
 */
export async function toCommonJs({ path, code, siblings, isBin = false }) {
  const result = await esbuild.transform(code, {
    loader: 'js',
    format: 'cjs',
    platform: 'node',
    target: 'node20.11',
    charset: 'utf8',
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': IMPORT_META_URL,
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
    logLevel: 'error',
  });
  const body = result.code.replace(/\brequire\("(\.{1,2}\/[^"]+)\.js"\)/g, (call, file) =>
    siblings.has(posix.join(posix.dirname(path), `${file}.js`)) ? `require("${file}.cjs")` : call,
  );
  const header = [
    ...(isBin ? ['#!/usr/bin/env node'] : []),
    // The sources are modules, hence strict; esbuild does not carry that over.
    '"use strict";',
    ...(body.includes(IMPORT_META_URL) ? [DEFINE_IMPORT_META_URL] : []),
  ];
  return {
    path: path.replace(/\.js$/, '.cjs'),
    code: `${header.join('\n')}\n${body.replace(/^#!.*\n/, '')}`,
    isBin,
  };
}
