import { createCliParts } from './cli-parts.ts';
import type { Environment } from './config/environment.ts';
import { findStateRoot } from './config/state-root/find-state-root.ts';
import { createDirectStream } from './surfaces/cli/print/direct-stream.ts';
import { runProgram } from './surfaces/cli/program/run-program.ts';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs a command line in this process, and answers with its exit code. */
export function startProgram(argv: readonly string[], env: Environment): Promise<number> {
  return runProgram({
    argv,
    // Standard streams are set up when they are first used: that takes Node longer than a short command takes.
    get stdin() {
      return process.stdin;
    },
    stdout: createDirectStream(1, () => process.stdout),
    stderr: createDirectStream(2, () => process.stderr),
    environment: { outputFormat: env.CLAW_OUTPUT_FORMAT, noColor: env.NO_COLOR !== undefined },
    findRoot: (flag) => findStateRoot(flag, env),
    parts: createCliParts(env),
    interrupt: listenForSignals(),
    crash: listenForCrashes(),
  });
}

/** The first signal asks the command to end in order; the second ends the process. */
function listenForSignals(): AbortSignal {
  const interrupt = new AbortController();
  for (const [name, exitCode] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (interrupt.signal.aborted) process.exit(exitCode);
      interrupt.abort(exitCode);
    });
  }
  return interrupt.signal;
}

function listenForCrashes(): Promise<never> {
  return new Promise((_, reject) => {
    process.on('uncaughtException', reject);
    process.on('unhandledRejection', reject);
  });
}
