#!/usr/bin/env node
// A worker for the `process` adapter: JSON-RPC 2.0 on standard input and output, one message on each line.
import { createInterface } from 'node:readline';

const MAX_STEPS = 100;

const methods = {
  ping: () => ({ pong: true }),

  echo: (params) => params ?? null,

  /** Works on a prompt in steps and tells about each of them before it answers. */
  async 'thread/start'({ prompt = '', steps = 3, step_ms: stepMs = 0 } = {}) {
    const count = Math.min(Math.max(0, Number(steps) || 0), MAX_STEPS);
    for (let step = 1; step <= count; step += 1) {
      await pause(stepMs);
      notify('thread/progress', { step, of: count });
    }
    return { status: 'completed', summary: `worked on ${String(prompt).length} characters` };
  },

  /** Answers after a while. */
  async sleep({ ms = 0 } = {}) {
    await pause(ms);
    return { slept_ms: ms };
  },

  /** Which variables of the server it can see: only those that the configuration names. */
  environment: () => ({ names: Object.keys(process.env).sort() }),

  fail({ message = 'asked to fail' } = {}) {
    throw new Error(String(message));
  },

  /** Ends without an answer, as a crash would. */
  crash({ code = 1 } = {}) {
    process.exit(code);
  },
};

function write(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function notify(method, params) {
  write({ method, params });
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, Number(ms) || 0));
}

async function handle(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return write({ id: null, error: { code: -32700, message: 'parse error' } });
  }
  const { id, method, params } = message;
  if (id === undefined) {
    if (method === 'shutdown') leave();
    return;
  }
  if (!Object.hasOwn(methods, method)) {
    return write({ id, error: { code: -32601, message: `method ${method} not found` } });
  }
  try {
    write({ id, result: await methods[method](params) });
  } catch (error) {
    write({ id, error: { code: -32000, message: error.message } });
  }
}

/** Ends once what was written has been read. */
function leave() {
  process.stdout.write('', () => process.exit(0));
}

process.stderr.write(`worker ${process.pid} is ready\n`);
const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
lines.on('line', (line) => void handle(line));
// The end of our input means that the server is gone, also when it was killed: nobody is left to work for.
lines.on('close', leave);
