import type { FileHandle } from 'node:fs/promises';

export interface FileReader {
  /** The next bytes; fewer at the end of the file. */
  take(bytes: number): Promise<Buffer>;
}

/** From the beginning, whoever else reads the same file. */
export function createFileReader(handle: FileHandle): FileReader {
  let position = 0;
  return {
    async take(bytes) {
      const buffer = Buffer.alloc(bytes);
      let filled = 0;
      while (filled < bytes) {
        const { bytesRead } = await handle.read(buffer, filled, bytes - filled, position);
        if (bytesRead === 0) break;
        filled += bytesRead;
        position += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
  };
}
