// `npm run bench -- name …`: runs bench/<name>.ts one after the other; without a name, all of them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { exitWith, root, run } from './lib/process.mjs';

const folder = join(root, 'bench');
const known = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .map((file) => file.slice(0, -'.ts'.length))
  : [];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  exitWith(`no such benchmark: ${unknown.join(', ')}; there are: ${known.join(', ')}`);
}

await ensureInstalled();
await ensureBuilt();
let worst = 0;
for (const name of names.length > 0 ? names : known) {
  const { code } = await run(process.execPath, ['--import', 'tsx', join(folder, `${name}.ts`)]);
  worst = Math.max(worst, code);
}
process.exitCode = worst;
