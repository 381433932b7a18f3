import { type Clock, systemClock } from '../../../core/clock.ts';
import { RuntimeError, toRuntimeError } from '../../../core/errors.ts';
import { createOutput, type Live, type Output } from '../live.ts';
import type { ProgramStream } from '../print/output-stream.ts';
import { type Report, render } from '../print/render.ts';
import { createRootNotice } from '../root-notice.ts';
import type { CliContext, InputStream, ProgramParts, StateRoot } from './context.ts';
import { createCommandList } from './create-command-list.ts';
import { toFailure } from './errors.ts';
import { explain } from './explain.ts';
import { type AskedOutput, findAskedOutput } from './global-options.ts';
import { explainProgram } from './help-text.ts';
import {
  findAttempted,
  type Globals,
  isBareLine,
  MISSING,
  parseRequest,
  type Request,
} from './parse-request.ts';

export interface Program {
  readonly argv: readonly string[];
  /** Asked for when something is read from it. */
  readonly stdin: InputStream;
  readonly stdout: ProgramStream;
  readonly stderr: ProgramStream;
  readonly environment: {
    readonly outputFormat: string | undefined;
    readonly noColor: boolean;
  };
  /** The state root for the flag, or for its absence. */
  findRoot(flag: string | undefined): StateRoot;
  readonly parts: ProgramParts;
  /** Aborts at Ctrl-C and its like; the reason is the exit code that shells give such an end. */
  readonly interrupt: AbortSignal;
  /** Rejects with what nobody caught. */
  readonly crash: Promise<never>;
}

/** Runs one command line to its end and answers with the exit code. Never throws. */
export async function runProgram(program: Program): Promise<number> {
  const session = new Session(program, systemClock);
  // Timers of the core never keep a process alive; without this one it could end in the middle, silently and with 0.
  const heartbeat = setInterval(() => {}, 2 ** 30);
  try {
    const exitCode = await Promise.race([session.run(), program.crash]).catch((thrown: unknown) =>
      session.fail(thrown),
    );
    return await session.deliver(exitCode);
  } finally {
    clearInterval(heartbeat);
  }
}

class Session {
  readonly #program: Program;
  readonly #clock: Clock;
  #asked: AskedOutput;
  #name: string;
  /** Known once the command line is read: finding it fails where the working directory was removed. */
  #root: StateRoot = { path: '.', from: 'working_directory' };
  /** In place of the program's, of which a part has been read. */
  #stdin: InputStream | undefined;
  #hasReported = false;
  #output: Output;

  constructor(program: Program, clock: Clock) {
    const { argv, environment } = program;
    this.#program = program;
    this.#clock = clock;
    this.#asked = findAskedOutput(argv, environment.outputFormat);
    this.#name = findAttempted(argv);
    this.#output = this.#createOutput({ root: undefined, noColor: false });
  }

  async run(): Promise<number> {
    const { parts, findRoot } = this.#program;
    const argv = await this.#readLine();
    const request = await parseRequest(argv, parts.findClosestName);
    // From here on it is known what is asked, and with which options.
    this.#name = request.kind === 'help' ? 'help' : request.entry.name;
    // Help is given anywhere, also beside a state root that is not to be used.
    if (request.kind === 'command') this.#root = findRoot(request.globals.root);
    if (request.kind === 'command' && request.command.ownsOutput) {
      this.#asked = { ...this.#asked, format: 'text' };
    }
    this.#output = this.#createOutput(request.globals);
    return this.#answer(request);
  }

  async #readLine(): Promise<readonly string[]> {
    const { argv, stdout } = this.#program;
    if (!isBareLine(argv)) return argv;
    const { completeBareLine } = await import('../print/bare-line.ts');
    const isTerminal = stdout.isTTY === true && this.#asked.format === 'text';
    const line = await completeBareLine({ argv, stdin: this.#program.stdin }, isTerminal);
    this.#stdin = line.stdin;
    return line.argv;
  }

  async #answer(request: Request): Promise<number> {
    if (request.kind === 'help') {
      const help = await explain(request.words, this.#program.parts.findClosestName);
      return this.#report({ fields: help.fields, text: () => help.text(this.#output.live.style) });
    }
    const { command, input } = request;
    const interrupted = command.handlesInterrupt
      ? new Promise<never>(() => {})
      : this.#untilInterrupted();
    const { live } = this.#output;
    const { parts: given } = this.#program;
    const notice =
      command.namesRoot || command.ownsOutput
        ? { parts: given, look: () => {} }
        : createRootNotice(given, this.#root.path, live);
    const execution = await Promise.race([
      command.execute(input, this.#createContext(live, notice.parts)),
      interrupted,
    ]).finally(notice.look);
    const { fields, failure } = execution;
    const exitCode = this.#report({
      fields,
      failure,
      text: () => execution.text(this.#output.live.style),
    });
    await execution.linger();
    return exitCode;
  }

  fail(thrown: unknown): number {
    const error = toRuntimeError(thrown);
    const place = { operation: this.#name.replace(/[ -]/g, '_'), target: this.#root.path };
    const isBare = this.#name === MISSING && this.#program.argv.length === 0;
    if (isBare && this.#asked.format === 'text') {
      this.#output.complain(`${explainProgram().text(this.#output.live.noteStyle)}\n`);
      return 2;
    }
    const failure = toFailure(error, place);
    const isDefect = failure.error?.kind === 'unknown' && error.cause instanceof Error;
    return this.#report({
      fields: {},
      failure,
      text: () => '',
      stack: isDefect ? (error.cause as Error).stack : undefined,
    });
  }

  /** Waits until all was written. A document or an answer that could not be is no success, whatever led to it. */
  async deliver(exitCode: number): Promise<number> {
    await this.#output.flush();
    const fault = this.#output.findFault();
    if (fault === undefined) return exitCode;
    this.#output.complain(`error: standard output could not be written (${fault})\n`);
    await this.#output.flush();
    return Math.max(exitCode, FAILED_EXIT);
  }

  #report(report: Partial<Report> & Pick<Report, 'fields' | 'text'>): number {
    // What goes wrong after the document must not add a second one.
    if (this.#hasReported && this.#asked.format === 'json') return FAILED_EXIT;
    const exitCode = render(
      {
        failure: undefined,
        ...report,
        command: this.#name,
        ...this.#asked,
        completedAtMs: this.#clock.nowMs(),
      },
      this.#output,
    );
    this.#hasReported = true;
    const { interrupt } = this.#program;
    const isInterrupted = exitCode !== 0 && interrupt.aborted && this.#asked.format === 'text';
    return isInterrupted ? shellExitCode(interrupt) : exitCode;
  }

  #createContext(live: Live, parts: ProgramParts): CliContext {
    const program = this.#program;
    const stdin = this.#stdin;
    return {
      root: this.#root.path,
      rootFrom: this.#root.from,
      parts,
      commands: createCommandList((other) => this.#createContext(other, parts)),
      live,
      get input() {
        return stdin ?? program.stdin;
      },
      clock: this.#clock,
      signal: program.interrupt,
    };
  }

  #untilInterrupted(): Promise<never> {
    const { interrupt } = this.#program;
    return new Promise((_, reject) => {
      const stop = () => reject(new RuntimeError('cancelled', 'interrupted'));
      if (interrupt.aborted) stop();
      else interrupt.addEventListener('abort', stop, { once: true });
    });
  }

  #createOutput(globals: Globals): Output {
    const { stdout, stderr, environment } = this.#program;
    const wantsColor = !environment.noColor && !globals.noColor;
    return createOutput({ stdout, stderr, isText: this.#asked.format === 'text', wantsColor });
  }
}

const FAILED_EXIT = 1;
/** 128 and the signal's number. */
const SIGINT_EXIT = 130;

function shellExitCode({ reason }: AbortSignal): number {
  return typeof reason === 'number' ? reason : SIGINT_EXIT;
}
