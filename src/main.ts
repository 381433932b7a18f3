import { writeSync } from 'node:fs';
import { readEnvironment } from './config/environment.ts';
import { createChunkLoader } from './platform/chunk-loader.ts';
import { describeBrokenProgram } from './surfaces/cli/program/broken-program.ts';
import { findInstantAnswer } from './surfaces/cli/program/instant-answer.ts';
import { BUILD, VERSION } from './version.ts';

// What is imported above is all that `claw --version` loads; keep it short.

const STDOUT = 1;
/** What keeping compiled code for the next start may add to a command; what is left is kept by the next one. */
const KEEPING_MS = 100;

function keepCode(): void {
  const endsAtMs = Date.now() + KEEPING_MS;
  while (chunks.keepNext() && Date.now() < endsAtMs);
}

async function main(argv: readonly string[]): Promise<void> {
  const { startProgram } = await import('./start-program.ts');
  const exitCode = await startProgram(argv, environment);
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

const environment = readEnvironment();
const chunks = createChunkLoader({
  program: import.meta.filename,
  build: BUILD ?? 'unbuilt',
  require: import.meta.require,
});
globalThis.__pincerChunks = chunks;
const argv = process.argv.slice(2);
const outputFormat = environment.CLAW_OUTPUT_FORMAT;
const answer = findInstantAnswer({ argv, outputFormat, version: VERSION });
if (typeof answer !== 'string') process.once('exit', keepCode);
if (answer === undefined) main(argv).catch(reportBrokenProgram);
else if (typeof answer === 'string') print(answer);
else void answer.then(print);
