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
  babble({ count }) {
    process.stdout.write('y\n'.repeat(count));
    return 'babbled';
  },
  long() {
    process.stdout.write(`${'x'.repeat(2 * 1024 * 1024)}\n`);
  },
  flood({ count }) {
    for (let index = 0; index < count; index += 1) write({ method: 'tick', params: { index } });
    return 'flooded';
  },
  /** Asks us many things at once, reads nothing meanwhile, and answers how many of them we have answered. */
  async nag({ count, chars }) {
    let answered = 0;
    input.pause();
    for (let index = 0; index < count; index += 1) {
      const id = `${index}-${'x'.repeat(chars)}`;
      answers.set(id, () => {
        answered += 1;
      });
      await new Promise((resolve) => {
        process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'nag' })}\n`, resolve);
      });
    }
    input.resume();
    for (let before = -1; before !== answered; ) {
      before = answered;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return answered;
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

const input = createInterface({ input: process.stdin });
input.on('line', async (line) => {
  const { id, method, params, error } = JSON.parse(line);
  if (method === undefined) return answers.get(id)?.(error ?? null);
  if (id !== undefined) write({ id, result: (await methods[method]?.(params)) ?? null });
});
