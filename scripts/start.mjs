// `npm start` on a fresh clone: install and build if needed, then become the server.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { root } from './lib/process.mjs';

await ensureInstalled();
await ensureBuilt();

// In this process, not in a child: signals and the exit code need no forwarding, and a second
// Node would cost its start and its memory for as long as the server runs.
const program = join(root, 'dist', 'claw.cjs');
process.argv = [process.execPath, program, 'serve', ...process.argv.slice(2)];
createRequire(program)(program);
