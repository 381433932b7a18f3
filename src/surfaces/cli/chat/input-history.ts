import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_MODE, makeDirectory } from '../../../platform/owner-only.ts';
import { replaceFile } from '../../../platform/replace-file.ts';

/** What was typed at this state root, across starts. */
export interface InputHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  add(entry: string): void;
  /** Resolves when everything added is on disk, or can't be. */
  flush(): Promise<void>;
}

const MAX_ENTRIES = 500;
/** Longer ones are pasted texts, which nobody looks for by going back. */
const MAX_ENTRY_CHARS = 4_000;

/** One JSON string per line in `.claw/chat-history`. Without it a chat works just as well, so faults are swallowed. */
export async function openInputHistory(root: string): Promise<InputHistory> {
  const folder = join(root, '.claw');
  const file = join(folder, 'chat-history');
  const entries = parseEntries(await readFile(file, 'utf8').catch(() => ''));
  let written: Promise<unknown> = Promise.resolve();

  async function append(entry: string): Promise<void> {
    await makeDirectory(folder);
    await appendFile(file, `${JSON.stringify(entry)}\n`, { mode: FILE_MODE });
  }

  /** The file only grows while chats are open; each start cuts it back. */
  async function shorten(): Promise<void> {
    await replaceFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  if (entries.length > MAX_ENTRIES) {
    entries.splice(0, entries.length - MAX_ENTRIES);
    written = shorten().catch(() => {});
  } else if (entries.length > 0) {
    written = chmod(file, FILE_MODE).catch(() => {});
  }

  return {
    entries,
    add(entry) {
      if (entry.trim() === '' || entry.length > MAX_ENTRY_CHARS || entry === entries.at(-1)) return;
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) entries.shift();
      written = written.then(() => append(entry)).catch(() => {});
    },
    async flush() {
      await written;
    },
  };
}

/** Lines that a crash cut off, or that somebody edited, are left out. */
function parseEntries(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === 'string' ? [entry] : [];
    } catch {
      return [];
    }
  });
}
