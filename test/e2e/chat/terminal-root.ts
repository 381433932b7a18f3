import { PROGRAM } from '../../support/program.ts';
import { CLEAN_ENV, type ClawOptions, type ClawRoot, openClawRoot } from '../cli/claw.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './tmux.ts';

/** A state root with terminals in which `claw` runs. */
export interface TerminalRoot extends ClawRoot {
  /** `claw` with these arguments on a terminal of its own. */
  open(args: readonly string[], options?: TerminalRootOptions): Promise<Terminal>;
  /** The messages of all runs, oldest first. */
  messages(): Promise<readonly string[]>;
  /** How each run ended, oldest first. */
  statuses(): Promise<readonly string[]>;
}

interface TerminalRootOptions
  extends ClawOptions,
    Partial<Pick<TerminalOptions, 'columns' | 'rows'>> {}

export const ENDED = '\nended with 0';

export async function openTerminalRoot(): Promise<TerminalRoot> {
  const root = await openClawRoot();
  const terminals: Terminal[] = [];

  async function listRuns(): Promise<{ message: string; status: string }[]> {
    const { stdout } = await root.claw(['runs', 'list', '--output-format', 'json']);
    return JSON.parse(stdout).runs.reverse();
  }

  return {
    ...root,
    async open(args, { env = {}, ...size } = {}) {
      const terminal = await openTerminal({
        folder: root.path,
        command: [process.execPath, PROGRAM, ...args],
        env: { ...CLEAN_ENV, TERM: 'screen-256color', ...env },
        ...size,
      });
      terminals.push(terminal);
      return terminal;
    },
    messages: async () => (await listRuns()).map(({ message }) => message),
    statuses: async () => (await listRuns()).map(({ status }) => status),
    async dispose() {
      await Promise.all(terminals.map((terminal) => terminal.close()));
      await root.dispose();
    },
  };
}

export async function say(terminal: Terminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press('Enter');
}
