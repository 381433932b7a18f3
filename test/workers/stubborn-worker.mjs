// A worker that does everything a worker should not: it outlives its input, ignores SIGTERM and starts others.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

process.on('SIGTERM', () => {});
setInterval(() => {}, 60_000);

const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const methods = {
  pid: () => process.pid,
  sleep: () => new Promise(() => {}),
  /** The number of a process that it starts and leaves behind. */
  spawn: () => spawn('sleep', ['300'], { stdio: 'ignore' }).pid,
  noise() {
    process.stdout.write('Welcome!\n[1,2]\n{"id":null}\n{"id":"unknown","result":1}\n\n');
    return 'said';
  },
  long() {
    process.stdout.write(`${'x'.repeat(2 * 1024 * 1024)}\n`);
  },
  flood({ count }) {
    for (let index = 0; index < count; index += 1) write({ method: 'tick', params: { index } });
    return 'flooded';
  },
  complain({ text }) {
    process.stderr.write(`${text}\n`);
    return 'complained';
  },
  /** Asks us something, and answers with what it was told. */
  wonder: () =>
    new Promise((resolve) => {
      answers.set('w1', resolve);
      write({ id: 'w1', method: 'approve', params: { command: 'rm' } });
    }),
};

const answers = new Map();

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, error } = JSON.parse(line);
  if (method === undefined) return answers.get(id)?.(error ?? null);
  if (id !== undefined) write({ id, result: (await methods[method]?.(params)) ?? null });
});
