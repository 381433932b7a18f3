// Who may import whom; docs/architecture.md says why. Type imports count.
const TESTS = '\\.(test|suite)\\.ts$';
const PACKAGES = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(dashboard/)?src' },
      to: { circular: true },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: '^src/core/', pathNot: TESTS },
      to: { path: '^src/(?!core/)' },
    },
    {
      name: 'core-has-no-drivers',
      severity: 'error',
      from: { path: '^src/core/', pathNot: TESTS },
      to: {
        dependencyTypes: ['core', ...PACKAGES],
        pathNot: '(^|/)node_modules/zod/|^(node:)?crypto$',
      },
    },
    {
      name: 'platform-sees-core-only',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: TESTS },
      to: { path: '^src/(?!(core|platform)/)' },
    },
    {
      name: 'platform-has-no-packages',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: TESTS },
      to: { dependencyTypes: PACKAGES },
    },
    {
      name: 'adapters-see-core-only',
      severity: 'error',
      from: {
        path: '^src/(storage|providers|toolbox|telemetry|config|sandbox|mcp|workers|projection|embeddings|memory-index|voice|openclaw)/',
        pathNot: TESTS,
      },
      to: { path: '^src/(?!(core|platform)/)', pathNot: '^src/$1/' },
    },
    {
      name: 'operations-see-core-only',
      severity: 'error',
      from: { path: '^src/operations/', pathNot: TESTS },
      to: { path: '^src/(?!(core|operations)/)' },
    },
    {
      // A browser loads them too.
      name: 'operations-have-no-drivers',
      severity: 'error',
      from: { path: '^src/operations/', pathNot: TESTS },
      to: { dependencyTypes: ['core', ...PACKAGES], pathNot: '(^|/)node_modules/zod/' },
    },
    {
      name: 'surfaces-see-core-and-kit',
      severity: 'error',
      from: { path: '^src/surfaces/([^/]+)/', pathNot: TESTS },
      to: { path: '^src/(?!(core|platform|operations)/)', pathNot: '^src/surfaces/($1|http)/' },
    },
    {
      // A browser runs them, and asks the server like any client; types and words come from what is declared once.
      name: 'pages-see-operations-only',
      severity: 'error',
      from: { path: '^dashboard/src/' },
      to: { path: '^src/(?!(core|operations)/)' },
    },
    {
      // Each is loaded when it is opened; what two of them show is in the kit.
      name: 'pages-stand-alone',
      severity: 'error',
      from: { path: '^dashboard/src/pages/([^/]+)/' },
      to: { path: '^dashboard/src/(pages|shell)/', pathNot: '^dashboard/src/pages/$1/' },
    },
    {
      name: 'kit-is-below-pages',
      severity: 'error',
      from: { path: '^dashboard/src/kit/' },
      to: { path: '^dashboard/src/(pages|shell)/' },
    },
    {
      name: 'api-is-below-kit',
      severity: 'error',
      from: { path: '^dashboard/src/api/' },
      to: { path: '^dashboard/src/(kit|pages|shell)/' },
    },
    {
      name: 'nothing-sees-pages',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^dashboard/' },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: { path: '^(dashboard/)?src' },
      to: { couldNotResolve: true, pathNot: '^(node:sqlite|hast)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
