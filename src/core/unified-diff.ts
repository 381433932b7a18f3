/** A line of a difference: as it was, taken away, or added. */
interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

const CONTEXT_LINES = 3;
/** Cells of the table that finds common lines; beyond it what differs is shown as replaced whole. */
const MAX_CELLS = 4_000_000;

export interface Versions {
  readonly path: string;
  /** Undefined: it is not there before, or after. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The difference between two texts as patch programs write it, line by line; empty when there is none. */
export function toUnifiedDiff({ path, before, after }: Versions): string[] {
  if (before === after) return [];
  const lines = compare(splitLines(before ?? ''), splitLines(after ?? ''));
  const hunks = toHunks(lines);
  return [
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
    `+++ ${after === undefined ? '/dev/null' : `b/${path}`}`,
    ...hunks,
  ];
}

/** A last line without its end is marked by a text that no other line can have. */
function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (text: string): DiffLine => ({ mark: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1;
  const isLarge = (before.length + 1) * width > MAX_CELLS;
  const common = new Uint32Array(isLarge ? 0 : (before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; !isLarge && i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (!isLarge && old !== undefined && old === fresh) {
      lines.push({ mark: ' ', text: old });
      i += 1;
      j += 1;
    } else if (
      old !== undefined &&
      (isLarge || fresh === undefined || at(i + 1, j) >= at(i, j + 1))
    ) {
      lines.push({ mark: '-', text: old });
      i += 1;
    } else {
      lines.push({ mark: '+', text: fresh ?? '' });
      j += 1;
    }
  }
  return lines;
}

/** What changed, with a few lines around it. */
function toHunks(lines: readonly DiffLine[]): string[] {
  const shown: string[] = [];
  let [oldLine, newLine] = [1, 1];
  let hunk: { readonly from: readonly [number, number]; readonly lines: DiffLine[] } | undefined;
  const close = () => {
    if (hunk === undefined) return;
    shown.push(header(hunk.from, hunk.lines), ...hunk.lines.map(({ mark, text }) => mark + text));
    hunk = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const around = lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
    if (around.some(({ mark }) => mark !== ' ')) {
      hunk ??= { from: [oldLine, newLine], lines: [] };
      hunk.lines.push(line);
    } else close();
    if (line.mark !== '+') oldLine += 1;
    if (line.mark !== '-') newLine += 1;
  }
  close();
  return shown;
}

function header([oldLine, newLine]: readonly [number, number], lines: readonly DiffLine[]): string {
  const oldCount = lines.filter(({ mark }) => mark !== '+').length;
  const newCount = lines.filter(({ mark }) => mark !== '-').length;
  // A side without lines is named by the line before it.
  const from = (line: number, count: number) => `${count === 0 ? line - 1 : line},${count}`;
  return `@@ -${from(oldLine, oldCount)} +${from(newLine, newCount)} @@`;
}
