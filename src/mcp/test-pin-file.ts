import { readFile } from 'node:fs/promises';
import { RuntimeError } from '../core/errors.ts';
import type { ToolPin, ToolPinStore } from '../core/tools/tool-pin.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { replaceFile } from '../platform/replace-file.ts';

/** Pins in one JSON file, for tests without a database. One process at a time. */
export function openPinFile(path: string): ToolPinStore {
  let queue: Promise<unknown> = Promise.resolve();

  async function read(): Promise<ToolPin[]> {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return '[]';
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
        await replaceFile(path, text, { hasOneWriter: true });
      });
      queue = written.catch(() => {});
      return written;
    },
  };
}

function keyOf(pin: ToolPin): string {
  return JSON.stringify([pin.server, pin.tool]);
}
