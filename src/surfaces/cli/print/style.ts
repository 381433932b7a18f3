/** Emphasis for people. `plainStyle` says the same without any. */
export interface Style {
  /** Columns that a line may take. */
  readonly width: number;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Wide enough for a whole message in a pipe, and not for a megabyte. */
const PIPE_WIDTH = 240;
const MIN_WIDTH = 40;

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export interface StyledStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

export function createStyle(stream: StyledStream, wantsColor: boolean): Style {
  // `hasColors` knows dumb terminals, NO_COLOR and FORCE_COLOR.
  const isColored = wantsColor && stream.isTTY === true && stream.hasColors?.() !== false;
  const paint = (name: keyof typeof CODES) => (text: string) =>
    isColored && text !== '' ? `\u001b[${CODES[name][0]}m${text}\u001b[${CODES[name][1]}m` : text;
  return {
    width: stream.isTTY === true ? Math.max(MIN_WIDTH, stream.columns ?? 80) : PIPE_WIDTH,
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}

export function formatWarning(message: string, style: Style): string {
  return `${style.yellow('warning:')} ${message}`;
}

export const plainStyle: Style = createStyle({}, false);
