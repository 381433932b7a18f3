import { isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';

const NAMESPACE = 'lazy-package';

/**
 * Gives `await import('package')` of a CommonJS package the names it has under Node. Bundled as it
 * is, such an import has only `default`, and `const { Redis } = await import('ioredis')` would be
 * undefined in the built program while it works in tests.
 */
export function lazyPackages({ external }) {
  return {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import' || external.includes(path) || isBuiltin(path)) return;
        return { path, namespace: NAMESPACE, pluginData: { resolveDir } };
      });
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path, pluginData }) => {
        const { resolveDir } = pluginData;
        const resolved = await build.resolve(path, { kind: 'import-statement', resolveDir });
        if (resolved.errors.length > 0) return { errors: resolved.errors };
        return { contents: await reexport(resolved.path), resolveDir, loader: 'js' };
      });
    },
  };
}

async function reexport(file) {
  const names = Object.keys(await import(pathToFileURL(file)));
  const list = names.filter((name) => /^[\w$]+$/.test(name)).join(', ');
  return `export { ${list} } from ${JSON.stringify(file)};`;
}
