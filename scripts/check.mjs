// `npm run check`: types, lint, imports and dead wood; every check runs, also after one has failed.
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { exitWith, run } from './lib/process.mjs';

const CHECKS = {
  types: ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.json', '--pretty', 'false'],
  pages: ['node_modules/typescript-7/bin/tsc', '-p', 'dashboard', '--pretty', 'false'],
  biome: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  eslint: ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'],
  imports: [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'src',
    'dashboard/src',
  ],
  folders: ['scripts/check-folders.mjs'],
  unused: ['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
};

await ensureInstalled();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  exitWith(`no such check: ${unknown.join(', ')}; there are: ${Object.keys(CHECKS).join(', ')}`);
}

const failed = [];
for (const [name, args] of Object.entries(CHECKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const startedAt = performance.now();
  const { code, output } = await run(process.execPath, args, { quiet: true });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (code !== 0) {
    failed.push(name);
    process.stdout.write(`${output.trimEnd()}\n\n`);
  }
}
if (failed.length > 0) exitWith(`check failed: ${failed.join(', ')}`);
