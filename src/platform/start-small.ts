import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Flags } from './chunk-loader.ts';

/**
 * For a start. The young generation stays as small as it is: most of what is loaded then is kept, which V8 takes for a
 * busy process and would give 16 MB that an idle server never uses and never gives back. And no function is optimised:
 * what runs often while a program loads rarely runs again, and compiling it took a sixth of the processor time of a
 * start. V8 counts on, so that what stays in use is optimised soon afterwards.
 */
const SMALL: Flags = {
  set() {
    setFlagsFromString('--semi-space-growth-factor=1 --max-optimized-bytecode-size=0');
  },
  // V8's own values.
  unset() {
    setFlagsFromString('--semi-space-growth-factor=2 --max-optimized-bytecode-size=61440');
  },
};

/** Runs a start for little memory and processor time. Afterwards both grow with the load as ever. */
export async function startSmall<Value>(start: () => Promise<Value>): Promise<Value> {
  const chunks = globalThis.__pincerChunks;
  chunks?.useFlags(SMALL);
  try {
    return await start();
  } finally {
    chunks?.useFlags(undefined);
    void keepCode();
  }
}

/** By then whoever waited for the start has been answered. */
const KEEP_AFTER_MS = 1_000;
const PAUSE_MS = 5;

/** Keeps what this start compiled for the next one. */
async function keepCode(): Promise<void> {
  await delay(KEEP_AFTER_MS, undefined, { ref: false });
  while (globalThis.__pincerChunks?.keepNext()) {
    await delay(PAUSE_MS, undefined, { ref: false });
  }
}
