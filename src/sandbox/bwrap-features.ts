import { existsSync } from 'node:fs';
import { runProcess } from './run-process.ts';
import { SYSTEM_PATH } from './sandbox-environment.ts';
import { sandboxUnavailable } from './unavailable.ts';

export interface BwrapFeatures {
  readonly version: string;
  readonly hasSize: boolean;
  readonly hasDisableUserns: boolean;
  readonly weaknesses: readonly string[];
}

const MAX_HELP_BYTES = 64 * 1024;

/** Asks `bwrap` what it can do: distributions ship versions of very different age. */
export async function probeBwrap(program: string): Promise<BwrapFeatures> {
  const [version, help] = [await ask(program, '--version'), await ask(program, '--help')];
  const hasSize = help.includes('--size ');
  const hasDisableUserns = help.includes('--disable-userns');
  const weaknesses: string[] = [];
  if (!hasSize) weaknesses.push('the size of /tmp is not limited (bubblewrap before 0.7)');
  if (!hasDisableUserns) {
    weaknesses.push('commands may make user namespaces of their own (bubblewrap before 0.8)');
  }
  if (!existsSync(`/proc/self/task/${process.pid}/children`)) {
    weaknesses.push('the number of processes is not limited for root (no /proc/…/children)');
  }
  return { version: version.trim(), hasSize, hasDisableUserns, weaknesses };
}

async function ask(program: string, option: string): Promise<string> {
  const spec = {
    file: program,
    args: [option],
    env: { PATH: SYSTEM_PATH },
    timeoutMs: 5_000,
    maxOutputBytes: MAX_HELP_BYTES,
    maxTotalOutputBytes: MAX_HELP_BYTES,
  };
  const { end, stdout, stderr } = await runProcess(spec, new AbortController().signal);
  if (end.how === 'not_spawned') {
    throw sandboxUnavailable('bwrap', `the program ${program} can't be run (${end.errno})`);
  }
  return stdout.text + stderr.text;
}
