import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removed at the latest when the process ends, however a measurement ended. */
export function openTempDir(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pincer-bench-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    path,
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}
