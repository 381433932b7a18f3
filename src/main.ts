import { writeSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { readEnvironment } from './config/environment.ts';
import { describeBrokenProgram } from './surfaces/cli/broken-program.ts';
import { findInstantAnswer } from './surfaces/cli/instant-answer.ts';
import { VERSION } from './version.ts';

// What is imported above is all that `claw --version` loads; keep it short.

const STDOUT = 1;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

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

/** Newer versions of Node keep compiled code between starts; what they can't, they leave. */
function enableCompileCache(): void {
  const { enableCompileCache: enable } = nodeModule as { enableCompileCache?: () => unknown };
  enable?.();
}

async function main(argv: readonly string[]): Promise<void> {
  const env = readEnvironment();
  enableCompileCache();
  const { runProgram } = await import('./surfaces/cli/run-program.ts');
  const { createCliParts } = await import('./cli-parts.ts');
  const { resolveRoot } = await import('./config/state-paths.ts');
  const exitCode = await runProgram({
    argv,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: { outputFormat: env.CLAW_OUTPUT_FORMAT, noColor: env.NO_COLOR !== undefined },
    resolveRoot: (flag) => resolveRoot(flag, env),
    parts: createCliParts(env),
    interrupt: listenForSignals(),
    crash: listenForCrashes(),
  });
  // Idle connections and timers of libraries must not hold up a command that is done.
  process.exit(exitCode);
}

/** Without a stream: setting one up costs as much as everything else here. */
function print(answer: string): void {
  try {
    writeSync(STDOUT, answer);
  } catch {
    // A pipe that is full for now, or one that nobody reads: the stream knows how to wait, and when not to.
    process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') process.exitCode = 1;
    });
    process.stdout.write(answer);
  }
}

/** Only what was never loaded can end here, as when a part of the program is missing: whatever runs reports itself. */
function reportBrokenProgram(thrown: unknown): void {
  process.exitCode = 1;
  const problem = { argv, outputFormat, thrown };
  const { stdout, stderr } = describeBrokenProgram(problem);
  if (stdout !== '') print(stdout);
  process.stderr.write(stderr);
}

const argv = process.argv.slice(2);
const outputFormat = readEnvironment().CLAW_OUTPUT_FORMAT;
const answer = findInstantAnswer({ argv, outputFormat, version: VERSION });
if (answer === undefined) main(argv).catch(reportBrokenProgram);
else if (typeof answer === 'string') print(answer);
else void answer.then(print);
