import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentId } from '../../core/ids.ts';
import { auditFileName, auditPath } from '../../core/records/record-paths.ts';
import type { AuditText } from '../../core/records/record-sink.ts';
import { syncDirectory } from '../../platform/durable-write.ts';
import { FILE_MODE, makeDirectory } from '../../platform/owner-only.ts';

/** Files kept open. An agent writes to one file a day, so the others are those of agents not heard of lately. */
const MAX_OPEN_FILES = 32;
const LINE_BREAK = 10;

interface OpenFile {
  readonly handle: FileHandle;
  /** The file does not end in a line break: a crash or a full disk cut its last line short. */
  isTorn: boolean;
  isDirty: boolean;
}

/** The daily files of all agents, only ever appended to. Not safe for concurrent calls; its owner takes turns. */
export class AuditFiles {
  readonly #root: string;
  readonly #files = new Map<string, OpenFile>();
  readonly #newDirectories = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async append(agentId: AgentId, lines: readonly AuditText[]): Promise<void> {
    const directory = join(this.#root, auditPath(agentId));
    const days = new Map<string, string>();
    for (const { atMs, json } of lines) {
      const name = auditFileName(atMs);
      days.set(name, `${days.get(name) ?? ''}${json}\n`);
    }
    for (const [name, text] of days) {
      const path = join(directory, name);
      await this.#closeOtherDays(directory, path);
      await this.#write(path, text);
    }
  }

  async sync(): Promise<void> {
    for (const file of this.#files.values()) await syncFile(file);
    for (const directory of this.#newDirectories) {
      await syncDirectory(directory);
      this.#newDirectories.delete(directory);
    }
  }

  async close(): Promise<void> {
    await this.sync();
    for (const path of [...this.#files.keys()]) await this.#close(path);
  }

  async #write(path: string, text: string): Promise<void> {
    const file = this.#files.get(path) ?? (await this.#open(path));
    // The most recently used is the last to be closed.
    this.#files.delete(path);
    this.#files.set(path, file);
    file.isDirty = true;
    try {
      // A torn line is closed and left as it is; its event is among the lines that follow, whole.
      await file.handle.writeFile(file.isTorn ? `\n${text}` : text);
      file.isTorn = false;
    } catch (error) {
      // How much got through is unknown now; opening the file again will tell.
      this.#files.delete(path);
      await file.handle.close().catch(() => {});
      throw error;
    }
  }

  async #open(path: string): Promise<OpenFile> {
    const oldest = this.#files.keys().next().value;
    if (this.#files.size >= MAX_OPEN_FILES && oldest !== undefined) await this.#close(oldest);
    await makeDirectory(dirname(path));
    const handle = await open(path, 'a+', FILE_MODE);
    try {
      const { size } = await handle.stat();
      if (size === 0) this.#newDirectories.add(dirname(path)).add(dirname(dirname(path)));
      const file = {
        handle,
        isTorn: size > 0 && !(await endsInLineBreak(handle, size)),
        isDirty: true,
      };
      this.#files.set(path, file);
      return file;
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
  }

  /** Once a day's file is left for the next one's, it is seldom needed again. */
  async #closeOtherDays(directory: string, path: string): Promise<void> {
    for (const other of [...this.#files.keys()]) {
      if (other !== path && dirname(other) === directory) await this.#close(other);
    }
  }

  async #close(path: string): Promise<void> {
    const file = this.#files.get(path);
    if (file === undefined) return;
    await syncFile(file);
    this.#files.delete(path);
    await file.handle.close();
  }
}

async function syncFile(file: OpenFile): Promise<void> {
  if (!file.isDirty) return;
  await file.handle.datasync();
  file.isDirty = false;
}

async function endsInLineBreak(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === LINE_BREAK;
}
