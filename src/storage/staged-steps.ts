import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ImportStep, ImportStore } from '../core/parcels/import-store.ts';
import { openScratchFile } from '../platform/scratch-file.ts';

/** Steps in a file of this process: each with its length before it. */
export interface StagedSteps {
  /** Threads of a process share its open files. */
  readonly fd: number;
  readonly bytes: number;
}

const LENGTH_BYTES = 4;

/** `commit`: takes all of the steps in one transaction, or none. */
export function createImportStore(commit: (steps: StagedSteps) => Promise<void>): ImportStore {
  return {
    async stage() {
      const handle = await openScratchFile();
      let bytes = 0;
      return {
        async add(step) {
          bytes += await append(handle, step);
        },
        commit: () => commit({ fd: handle.fd, bytes }),
        close: () => handle.close(),
      };
    },
  };
}

async function append(handle: FileHandle, step: ImportStep): Promise<number> {
  const text = Buffer.from(JSON.stringify(step));
  const frame = Buffer.alloc(LENGTH_BYTES + text.length);
  frame.writeUInt32BE(text.length);
  text.copy(frame, LENGTH_BYTES);
  await handle.appendFile(frame);
  return frame.length;
}

/** One step in memory at a time. A transaction has to go on without a pause, so this waits for the disk. */
export function* readSteps({ fd, bytes }: StagedSteps): Generator<ImportStep> {
  let position = 0;
  while (position < bytes) {
    const length = read(fd, position, LENGTH_BYTES).readUInt32BE();
    const text = read(fd, position + LENGTH_BYTES, length);
    position += LENGTH_BYTES + length;
    yield JSON.parse(text.toString('utf8')) as ImportStep;
  }
}

function read(fd: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const count = readSync(fd, buffer, filled, bytes - filled, position + filled);
    if (count === 0) throw new Error('a staged import ends too early');
    filled += count;
  }
  return buffer;
}
