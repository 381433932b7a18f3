import { type Clock, systemClock } from '../../core/clock.ts';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import type { InputStream, OutputFormat, ProgramParts } from './context.ts';
import { toFailure } from './errors.ts';
import { explain } from './explain.ts';
import { findFormat } from './global-options.ts';
import { explainProgram } from './help-text.ts';
import { createOutput, type Output } from './live.ts';
import type { ProgramStream } from './output-stream.ts';
import {
  findAttempted,
  type Globals,
  MISSING,
  parseRequest,
  type Request,
} from './parse-request.ts';
import { type Report, render } from './render.ts';

export interface Program {
  readonly argv: readonly string[];
  readonly stdin: InputStream;
  readonly stdout: ProgramStream;
  readonly stderr: ProgramStream;
  readonly environment: {
    readonly outputFormat: string | undefined;
    readonly noColor: boolean;
  };
  /** Absolute state root for the flag, or for its absence. */
  resolveRoot(flag: string | undefined): string;
  readonly parts: ProgramParts;
  /** Aborts at Ctrl-C and its like; the reason is the exit code that shells give such an end. */
  readonly interrupt: AbortSignal;
  /** Rejects with what nobody caught. */
  readonly crash: Promise<never>;
}

/** Runs one command line to its end and answers with the exit code. Never throws. */
export async function runProgram(program: Program): Promise<number> {
  const { argv, environment } = program;
  const format = findFormat(argv, environment.outputFormat);
  const session = new Session(program, format, systemClock);
  // Timers of the core never keep a process alive; without this one it could end in the middle, silently and with 0.
  const heartbeat = setInterval(() => {}, 2 ** 30);
  try {
    return await Promise.race([session.run(), program.crash]);
  } catch (thrown) {
    return session.fail(thrown);
  } finally {
    clearInterval(heartbeat);
    await session.output.flush();
  }
}

class Session {
  readonly #program: Program;
  #format: OutputFormat;
  readonly #clock: Clock;
  #name: string;
  #root: string;
  #hasReported = false;
  output: Output;

  constructor(program: Program, format: OutputFormat, clock: Clock) {
    this.#program = program;
    this.#format = format;
    this.#clock = clock;
    this.#name = findAttempted(program.argv);
    this.#root = program.resolveRoot(undefined);
    this.output = this.#createOutput({ root: undefined, noColor: false });
  }

  async run(): Promise<number> {
    const { argv, parts } = this.#program;
    const request = await parseRequest(argv, parts.findClosestName);
    // From here on it is known what is asked, and with which options.
    this.#name = request.kind === 'help' ? 'help' : request.entry.name;
    this.#root = this.#program.resolveRoot(request.globals.root);
    if (request.kind === 'command' && request.command.ownsOutput) this.#format = 'text';
    this.output = this.#createOutput(request.globals);
    return this.#answer(request);
  }

  async #answer(request: Request): Promise<number> {
    if (request.kind === 'help') {
      const help = await explain(request.words, this.#program.parts.findClosestName);
      return this.#report({ fields: help.fields, text: () => help.text(this.output.live.style) });
    }
    const { command, input } = request;
    const interrupted = command.handlesInterrupt
      ? new Promise<never>(() => {})
      : this.#untilInterrupted();
    const execution = await Promise.race([
      command.execute(input, {
        root: this.#root,
        parts: this.#program.parts,
        live: this.output.live,
        input: this.#program.stdin,
        clock: this.#clock,
        signal: this.#program.interrupt,
      }),
      interrupted,
    ]);
    const { fields, failure } = execution;
    const exitCode = this.#report({
      fields,
      failure,
      text: () => execution.text(this.output.live.style),
    });
    await execution.linger();
    return exitCode;
  }

  fail(thrown: unknown): number {
    const error = toRuntimeError(thrown);
    const place = { operation: this.#name.replace(/[ -]/g, '_'), target: this.#root };
    const isBare = this.#name === MISSING && this.#program.argv.length === 0;
    if (isBare && this.#format === 'text') {
      this.output.complain(`${explainProgram().text(this.output.live.noteStyle)}\n`);
      return 2;
    }
    return this.#report({
      fields: {},
      failure: toFailure(error, place),
      text: () => '',
      stack:
        error.code === 'internal' && error.cause instanceof Error ? error.cause.stack : undefined,
    });
  }

  #report(report: Partial<Report> & Pick<Report, 'fields' | 'text'>): number {
    // What goes wrong after the document must not add a second one.
    if (this.#hasReported && this.#format === 'json') return FAILED_EXIT;
    this.#hasReported = true;
    const exitCode = render(
      {
        failure: undefined,
        ...report,
        command: this.#name,
        format: this.#format,
        completedAtMs: this.#clock.nowMs(),
      },
      this.output,
    );
    const { interrupt } = this.#program;
    const isInterrupted = exitCode !== 0 && interrupt.aborted && this.#format === 'text';
    return isInterrupted ? shellExitCode(interrupt) : exitCode;
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
    return createOutput({ stdout, stderr, isText: this.#format === 'text', wantsColor });
  }
}

const FAILED_EXIT = 1;
/** 128 and the signal's number. */
const SIGINT_EXIT = 130;

function shellExitCode({ reason }: AbortSignal): number {
  return typeof reason === 'number' ? reason : SIGINT_EXIT;
}
