import type { Clock } from '../core/clock.ts';

const MAX_LINES_PER_WINDOW = 50;
const WINDOW_MS = 10_000;
const MAX_LINE_CHARS = 500;

/** Passes the lines on that a program writes to its standard error, as many and as much of them as a log can bear. */
export function createStderrLog(
  clock: Pick<Clock, 'nowMs'>,
  log: (line: string) => void,
): (chunk: Buffer) => void {
  let held = '';
  let window = { startedAtMs: clock.nowMs(), lines: 0 };

  function pass(line: string): void {
    const nowMs = clock.nowMs();
    if (nowMs - window.startedAtMs >= WINDOW_MS) window = { startedAtMs: nowMs, lines: 0 };
    window.lines += 1;
    if (window.lines <= MAX_LINES_PER_WINDOW && line.trim() !== '') log(line);
  }

  return (chunk) => {
    const lines = (held + chunk.toString('utf8')).split('\n');
    held = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) pass(line.slice(0, MAX_LINE_CHARS));
  };
}
