import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createCliParts } from '../../src/cli-parts.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { findStateRoot } from '../../src/config/state-root/find-state-root.ts';
import { findInstantAnswer } from '../../src/surfaces/cli/program/instant-answer.ts';
import { runProgram } from '../../src/surfaces/cli/program/run-program.ts';
import { VERSION } from '../../src/version.ts';

interface RanClaw {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly input?: string | undefined;
  /** All the variables there are: nothing of the machine's own settings. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A command line in this process, with all that is behind it: no program to start. */
export async function runClaw(
  root: string,
  argv: readonly string[],
  { input = '', env: variables = { CLAW_MODEL: 'offline/rules' } }: RunOptions = {},
): Promise<RanClaw> {
  const env = readEnvironment(variables);
  const outputFormat = env.CLAW_OUTPUT_FORMAT;
  // As the shipped program does: the short answers are given without the rest of it.
  const answer = await findInstantAnswer({ argv, outputFormat, version: VERSION });
  if (answer !== undefined) return { code: 0, stdout: answer, stderr: '' };

  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await runProgram({
    argv,
    ...{ stdin, stdout, stderr },
    environment: { outputFormat, noColor: true },
    findRoot: (flag) =>
      flag === undefined && env.CLAW_ROOT === undefined
        ? { ...findStateRoot(root, env), from: 'working_directory' }
        : findStateRoot(flag && resolve(root, flag), env),
    parts: createCliParts(env),
    interrupt: new AbortController().signal,
    crash: new Promise(() => {}),
  });
  stdout.end();
  stderr.end();
  const [out, errors] = await said;
  return { code, stdout: out, stderr: errors };
}
