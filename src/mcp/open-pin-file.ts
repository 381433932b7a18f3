import { readFile, rename, writeFile } from 'node:fs/promises';
import { RuntimeError } from '../core/errors.ts';
import type { ToolPin, ToolPinStore } from '../core/tools/tool-pin.ts';

/** Pins in one JSON file, for programs that embed servers without a database. One process at a time. */
export function openPinFile(path: string): ToolPinStore {
  let queue: Promise<unknown> = Promise.resolve();

  async function read(): Promise<ToolPin[]> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]';
      throw error;
    });
    try {
      return JSON.parse(text) as ToolPin[];
    } catch (cause) {
      // Starting afresh would approve whatever a server says today.
      throw new RuntimeError('storage_unavailable', `pin file ${path} is not valid JSON`, {
        cause,
      });
    }
  }

  return {
    async find(server, tool) {
      return (await read()).find((pin) => pin.server === server && pin.tool === tool);
    },

    async list(server) {
      return (await read()).filter((pin) => server === undefined || pin.server === server);
    },

    put(pins) {
      const written = queue.then(async () => {
        const all = new Map((await read()).map((pin) => [keyOf(pin), pin]));
        for (const pin of pins) all.set(keyOf(pin), pin);
        const sorted = [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
        const text = JSON.stringify(sorted.map(([, pin]) => pin));
        await writeFile(`${path}.new`, text, { mode: 0o600 });
        await rename(`${path}.new`, path);
      });
      queue = written.catch(() => {});
      return written;
    },
  };
}

function keyOf(pin: ToolPin): string {
  return JSON.stringify([pin.server, pin.tool]);
}
