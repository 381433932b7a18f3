import { createOutputStream, type ProgramStream } from './print/output-stream.ts';
import { createStyle, formatWarning, type Style } from './print/style.ts';

/** How a command speaks while it works. In JSON mode all of it is silent: there, one document says everything. */
export interface Live {
  readonly isText: boolean;
  /** Whether a person reads standard output as it comes. */
  readonly isTerminal: boolean;
  readonly style: Style;
  /** For standard error. */
  readonly noteStyle: Style;
  /** Of the terminal that standard output is, as wide as it is now. */
  columns(): number;
  /** Aborts when nobody reads standard output any more. */
  readonly closed: AbortSignal;
  write(text: string): void;
  /** One line on standard error. */
  note(line: string): void;
  /** Likewise, for what an operator should know. */
  warn(message: string): void;
  /** A line on standard error that the next one replaces; nothing unless a person looks. */
  progress(line: string): void;
}

export interface Output {
  readonly live: Live;
  print(text: string): void;
  complain(text: string): void;
  flush(): Promise<void>;
  /** Why standard output is incomplete although somebody reads it: the system's code. */
  findFault(): string | undefined;
}

export interface OutputOptions {
  readonly stdout: ProgramStream;
  readonly stderr: ProgramStream;
  readonly isText: boolean;
  readonly wantsColor: boolean;
}

/** Of terminals that do not say how wide they are. */
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[2K';

/** What is asked of a stream is asked when a command needs it: standard streams cost time to set up. */
export function createOutput(options: OutputOptions): Output {
  const { isText, wantsColor } = options;
  const stdout = createOutputStream(options.stdout);
  const stderr = createOutputStream(options.stderr);
  let style: Style | undefined;
  let noteStyle: Style | undefined;
  let hasProgress = false;

  function complain(text: string): void {
    stderr.write(hasProgress ? CLEAR_LINE + text : text);
    hasProgress = false;
  }

  function print(text: string): void {
    if (hasProgress) complain('');
    stdout.write(text);
  }

  const findNoteStyle = () => {
    noteStyle ??= createStyle(options.stderr, wantsColor);
    return noteStyle;
  };
  const note = (line: string) => {
    if (isText) complain(`${line}\n`);
  };

  return {
    print,
    complain,
    flush: async () => {
      await Promise.all([stdout.flush(), stderr.flush()]);
    },
    findFault: () => stdout.findFault(),
    live: {
      isText,
      get isTerminal() {
        return isText && options.stdout.isTTY === true;
      },
      get style() {
        style ??= createStyle(options.stdout, wantsColor);
        return style;
      },
      get noteStyle() {
        return findNoteStyle();
      },
      columns: () => options.stdout.columns || DEFAULT_COLUMNS,
      get closed() {
        return stdout.closed;
      },
      write: (text) => isText && print(text),
      note,
      warn: (message) => note(formatWarning(message, findNoteStyle())),
      progress(line) {
        if (!isText || options.stderr.isTTY !== true) return;
        complain(`${CLEAR_LINE}${line}`);
        hasProgress = true;
      },
    },
  };
}
