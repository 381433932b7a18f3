import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath, installPackage } from '../../support/system-packages.ts';

const execute = promisify(execFile);

/** A program on a real terminal, which tmux keeps. */
export interface Terminal {
  /** Keys by their names in tmux: `Enter`, `C-c`, `Up`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Characters as they are. */
  type(text: string): Promise<void>;
  /** As a terminal pastes it: marked as such when the program has asked for that. */
  paste(text: string): Promise<void>;
  /** Everything on the screen and above it. */
  read(): Promise<string>;
  /** Every byte that the program has written, once it fits. */
  sawRaw(expected: string): Promise<string>;
  /** The same once it fits; throws with what is there when it does not in time. */
  saw(expected: string | RegExp): Promise<string>;
  /** The same once it no longer fits. */
  lost(unexpected: string | RegExp): Promise<string>;
  close(): Promise<void>;
}

export interface TerminalOptions {
  readonly folder: string;
  readonly command: readonly string[];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** The shell outlives the program, so that its end is told on the terminal it had, and what it printed stays there. */
const SHELL_LINE = '"$@"; echo "ended with $?"; exec cat';
const DEADLINE_MS = 15_000;
const POLL_MS = 25;

/** Installed when it is missing and can be: without it these tests can't tell anything, so they fail. */
async function findTmux(): Promise<string> {
  const found = findOnPath('tmux');
  if (found) return found;
  const refusal = await installPackage('tmux');
  const installed = findOnPath('tmux');
  if (installed) return installed;
  throw new Error(
    `the chat is tested in tmux, which can't be had: ${refusal ?? 'not on the PATH'}`,
  );
}

let terminals = 0;

export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const { folder, command, env, columns = 80, rows = 24 } = options;
  const program = await findTmux();
  terminals += 1;
  const socket = join(folder, `tmux-${process.pid}-${terminals}`);
  const raw = `${socket}.raw`;
  const locale = { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] ?? '' };
  const tmux = async (...args: string[]) =>
    (await execute(program, ['-S', socket, '-f', '/dev/null', ...args], { env: locale })).stdout;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const size = ['-x', String(columns), '-y', String(rows)];
  await tmux(
    ...['start-server', ';', 'set-option', '-g', 'history-limit', '5000', ';'],
    ...['new-session', '-d', '-c', folder, ...size, 'env', '-i', ...variables],
    ...['sh', '-c', SHELL_LINE, 'sh', ...command, ';'],
    ...['pipe-pane', '-o', `cat > ${raw}`],
  );
  const read = () => tmux('capture-pane', '-p', '-S', '-');
  const readRaw = () => readFile(raw, 'utf8').catch(() => '');

  return {
    async press(...keys) {
      await tmux('send-keys', ...keys);
    },
    async type(text) {
      await tmux('send-keys', '-l', text);
    },
    async paste(text) {
      await tmux('set-buffer', '--', text);
      await tmux('paste-buffer', '-p');
    },
    read,
    sawRaw: (expected) => until(readRaw, expected, true),
    saw: (expected) => until(read, expected, true),
    lost: (unexpected) => until(read, unexpected, false),
    async close() {
      await tmux('kill-server').catch(() => {});
    },
  };
}

async function until(
  read: () => Promise<string>,
  text: string | RegExp,
  isWanted: boolean,
): Promise<string> {
  const deadlineMs = performance.now() + DEADLINE_MS;
  for (;;) {
    const pane = await read();
    if (fits(pane, text) === isWanted) return pane;
    if (performance.now() > deadlineMs) {
      throw new Error(`${isWanted ? 'never saw' : 'still there:'} ${text}\n${pane}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function fits(pane: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? pane.includes(expected) : expected.test(pane);
}
