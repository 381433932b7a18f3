import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let isWatching = false;

/** A signal ends the process by itself, past all who wait for its exit to end their children and remove their files. */
function exitOnSignals(): void {
  if (isWatching) return;
  isWatching = true;
  // Each directory and each child leaves one; there are a few dozen.
  process.setMaxListeners(100);
  for (const signal of SIGNALS) process.once(signal, () => process.exit(130));
}

/** Removed at the latest when the process ends, however a measurement ended. */
export function openTempDir(): { readonly path: string; remove(): void } {
  exitOnSignals();
  const path = mkdtempSync(join(tmpdir(), 'pincer-bench-'));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  return {
    path,
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}
