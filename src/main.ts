import { createCliParts } from './cli-parts.ts';
import { readEnvironment } from './config/environment.ts';
import { resolveRoot } from './config/state-paths.ts';
import { RuntimeError } from './core/errors.ts';
import { runProgram } from './surfaces/cli/run-program.ts';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The first signal asks the command to end in order; the second ends the process. */
function listenForSignals(): AbortSignal {
  const interrupt = new AbortController();
  for (const [name, exitCode] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (interrupt.signal.aborted) process.exit(exitCode);
      interrupt.abort(new RuntimeError('cancelled', 'interrupted', { details: { exitCode } }));
    });
  }
  return interrupt.signal;
}

async function main(): Promise<void> {
  const env = readEnvironment();
  const exitCode = await runProgram({
    argv: process.argv.slice(2),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: { outputFormat: env.CLAW_OUTPUT_FORMAT, noColor: env.NO_COLOR !== undefined },
    resolveRoot: (flag) => resolveRoot(flag, env),
    parts: createCliParts(env),
    interrupt: listenForSignals(),
  });
  // Idle connections and timers of libraries must not hold up a command that is done.
  process.exit(exitCode);
}

void main();
