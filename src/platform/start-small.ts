import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/** How much larger V8 makes its young generation when what is in it survives. */
const USUAL_GROWTH = 2;
const NO_GROWTH = 1;

/**
 * Runs a start with a young generation that stays as small as it is. Most of what is loaded then is kept, which V8 takes
 * for a busy process: it would give it 16 MB that an idle server never uses and never gives back. Afterwards it grows
 * with the load as ever.
 */
export async function startSmall<Value>(start: () => Promise<Value>): Promise<Value> {
  setGrowth(NO_GROWTH);
  try {
    return await start();
  } finally {
    setGrowth(USUAL_GROWTH);
    void keepCode();
  }
}

/** By then whoever waited for the start has been answered. */
const KEEP_AFTER_MS = 1_000;
const PAUSE_MS = 5;

/** Keeps what this start compiled for the next one, each part under the flags that it will be loaded under. */
async function keepCode(): Promise<void> {
  await delay(KEEP_AFTER_MS, undefined, { ref: false });
  while (keepUnder(NO_GROWTH) || keepUnder(USUAL_GROWTH)) {
    await delay(PAUSE_MS, undefined, { ref: false });
  }
}

function keepUnder(factor: number): boolean {
  setGrowth(factor);
  try {
    return globalThis.__pincerChunks?.keepNext() ?? false;
  } finally {
    setGrowth(USUAL_GROWTH);
  }
}

function setGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  globalThis.__pincerChunks?.useFlags(factor === NO_GROWTH ? 'small' : 'usual');
}
