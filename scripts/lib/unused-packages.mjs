const NAMESPACE = 'unused-package';

/**
 * Leaves packages out that a library asks for only in cases which the program never has. Bundled they would be read and
 * held in memory with every start. Whoever gets there after all is told which package it was.
 */
export function unusedPackages(names) {
  return {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
        names.includes(path) ? { path, namespace: NAMESPACE } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(`${path} is not part of the program`)});`,
        loader: 'js',
      }));
    },
  };
}
