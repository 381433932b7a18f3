import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a child to its end. With `quiet` its output is kept and returned, else it is inherited.
 * A signal that reaches only us is passed on, so that stopping the script stops the child too.
 */
export function run(command, args, { quiet = false, env = process.env, input } = {}) {
  return new Promise((resolve, reject) => {
    const stdin = input === undefined ? 'inherit' : input;
    const child = spawn(command, args, {
      cwd: root,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : [stdin, 'inherit', 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    let interruptedBy;
    const forward = (signal) => {
      interruptedBy = signal;
      // A terminal delivers Ctrl-C to the whole foreground group: the child has it already.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
    const release = () => {
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
    };
    child.on('error', (error) => {
      release();
      reject(error);
    });
    child.on('close', (code, signal) => {
      release();
      resolve({ code: code ?? 128 + constants.signals[signal], output, interruptedBy });
    });
  });
}

/** Ends this process the way a shell would report the child, without a stack trace. */
export function exitWith(message, code = 1) {
  if (message) process.stderr.write(`${message}\n`);
  process.exit(code);
}
