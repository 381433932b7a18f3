import type { Live } from '../live.ts';
import { plainStyle } from '../print/style.ts';

export interface CapturedLive {
  readonly live: Live;
  /** What was written so far. */
  text(): string;
}

/** What a command writes while it works is kept instead of printed; notes are passed on. */
export function captureLive(outer: Live): CapturedLive {
  let written = '';
  return {
    live: {
      ...outer,
      isText: true,
      isTerminal: false,
      style: plainStyle,
      write(text) {
        written += text;
      },
    },
    text: () => written,
  };
}
