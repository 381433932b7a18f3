// `npm run dev`: the server, built and started again whenever a source file changes.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/process.mjs';

const SETTLE_MS = 150;

let server;
let isStopping = false;
let timer;

function start() {
  const args = [join(root, 'scripts', 'start.mjs'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  server = child;
  child.on('exit', () => {
    if (server === child) server = undefined;
    if (isStopping) process.exit(0);
  });
}

function restart() {
  if (!server) return start();
  server.once('exit', start);
  server.kill('SIGTERM');
}

function stop() {
  isStopping = true;
  if (!server) process.exit(0);
  server.kill('SIGTERM');
}

for (const folder of ['src', 'dashboard/src']) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (isStopping || file?.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(restart, SETTLE_MS);
  });
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
start();
