import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { AgentId } from '../../core/ids.ts';
import type { FileEnd, HeadReason, SignedHead } from '../../core/records/audit-head.ts';
import { auditFileName, auditPath } from '../../core/records/record-paths.ts';
import type { AuditText } from '../../core/records/record-sink.ts';
import type { SigningKey } from '../../core/secrets/signing-key.ts';
import { syncDirectory } from '../../platform/durable-write.ts';
import { FILE_MODE, makeDirectory } from '../../platform/owner-only.ts';
import { readAnchor, writeAnchor } from './audit-anchors.ts';
import { AuditSeal } from './audit-seal.ts';
import { listAuditFiles } from './find-audited-seqs.ts';
import { readNodeId } from './node-id.ts';
import { findLastHead, readSealPoint } from './read-seal-point.ts';

/** Files kept open. An agent writes to one file a day, so the others are those of agents not heard of lately. */
const MAX_OPEN_FILES = 32;
const LINE_BREAK = 10;
/** So long lines may wait for a head that signs them while nothing more is written. */
const MAX_UNSIGNED_MS = 30_000;

export interface AuditFilesConfig {
  readonly root: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Asked for when the first line is written. Undefined: nothing is signed. */
  readonly getKey: (() => Promise<SigningKey>) | undefined;
}

interface OpenFile {
  readonly handle: FileHandle;
  readonly agentId: AgentId;
  readonly seal: AuditSeal | undefined;
  isDirty: boolean;
}

/** The daily files of all agents, only ever appended to. Not safe for concurrent calls; its owner takes turns. */
export class AuditFiles {
  readonly #config: AuditFilesConfig;
  readonly #files = new Map<string, OpenFile>();
  readonly #newDirectories = new Set<string>();

  constructor(config: AuditFilesConfig) {
    this.#config = config;
  }

  async append(agentId: AgentId, lines: readonly AuditText[]): Promise<void> {
    const directory = this.#directoryOf(agentId);
    const days = new Map<string, string[]>();
    for (const { atMs, json } of lines) {
      const name = auditFileName(atMs);
      const day = days.get(name) ?? [];
      days.set(name, day);
      day.push(`${json}\n`);
    }
    for (const [name, texts] of days) {
      const path = join(directory, name);
      await this.#closeOtherDays(directory, path);
      const file = await this.#use(agentId, path);
      await this.#write(path, file, this.#withHeads(file, texts));
    }
  }

  /** Signs what has waited for long. True when there was any. */
  async seal(): Promise<boolean> {
    const untilMs = this.#config.clock.nowMs() - MAX_UNSIGNED_MS;
    let hasWritten = false;
    for (const [path, file] of [...this.#files]) {
      if ((file.seal?.waitingSinceMs ?? Number.POSITIVE_INFINITY) > untilMs) continue;
      await this.#writeHead(path, file, 'interval');
      hasWritten = true;
    }
    return hasWritten;
  }

  async sync(): Promise<void> {
    for (const file of this.#files.values()) await this.#syncFile(file);
    for (const directory of this.#newDirectories) {
      await syncDirectory(directory);
      this.#newDirectories.delete(directory);
    }
  }

  async close(): Promise<void> {
    for (const path of [...this.#files.keys()]) await this.#close(path, 'stop');
    await this.sync();
  }

  #directoryOf(agentId: AgentId): string {
    return join(this.#config.root, auditPath(agentId));
  }

  async #use(agentId: AgentId, path: string): Promise<OpenFile> {
    const file = this.#files.get(path) ?? (await this.#open(agentId, path));
    // The most recently used is the last to be closed.
    this.#files.delete(path);
    this.#files.set(path, file);
    return file;
  }

  /** A head behind every so many lines, in the same write as they. */
  #withHeads({ seal }: OpenFile, texts: readonly string[]): string {
    if (seal === undefined) return texts.join('');
    const nowMs = this.#config.clock.nowMs();
    let all = '';
    for (let at = 0; at < texts.length; ) {
      const some = texts.slice(at, at + Math.max(1, seal.room));
      const text = some.join('');
      seal.take(text, { lines: some.length, nowMs });
      all += seal.room === 0 ? text + seal.sign('interval', nowMs) : text;
      at += some.length;
    }
    return all;
  }

  async #write(path: string, file: OpenFile, text: string): Promise<void> {
    file.isDirty = true;
    try {
      await file.handle.writeFile(text);
    } catch (error) {
      // How much got through is unknown now; opening the file again will tell.
      this.#files.delete(path);
      await file.handle.close().catch(() => {});
      throw error;
    }
  }

  async #writeHead(path: string, file: OpenFile, reason: HeadReason): Promise<void> {
    if (!file.seal?.isDue(reason)) return;
    await this.#write(path, file, file.seal.sign(reason, this.#config.clock.nowMs()));
  }

  async #open(agentId: AgentId, path: string): Promise<OpenFile> {
    const oldest = this.#files.keys().next().value;
    if (this.#files.size >= MAX_OPEN_FILES && oldest !== undefined) {
      await this.#close(oldest, 'interval');
    }
    await makeDirectory(dirname(path));
    const handle = await open(path, 'a+', FILE_MODE);
    try {
      const { size } = await handle.stat();
      if (size === 0) this.#newDirectories.add(dirname(path)).add(dirname(dirname(path)));
      const key = await this.#config.getKey?.();
      const sealed = key && (await this.#openSeal({ agentId, path, handle, size, key }));
      const file = { handle, agentId, seal: sealed?.seal, isDirty: true };
      if (size > 0 && !(await endsInLineBreak(handle, size))) {
        // A crash or a full disk cut it short. It is closed and left as it is; its event follows, whole.
        await handle.writeFile('\n');
        const nowMs = this.#config.clock.nowMs();
        if (!sealed?.endsInHead) sealed?.seal.take('\n', { lines: 1, nowMs });
      }
      this.#files.set(path, file);
      return file;
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
  }

  async #openSeal({ agentId, path, handle, size, key }: Unsealed) {
    const { root } = this.#config;
    const file = basename(path);
    const point = await readSealPoint(handle, size);
    const anchor = await readAnchor(root, agentId);
    const isCut = anchor?.file === file && anchor.number > (point.last?.number ?? 0);
    // Going on from where the file once was leaves the gap to be seen by everybody.
    const last = isCut ? anchor : point.last;
    const before = last ? last.before : await this.#leavePrevious(agentId, file, anchor);
    const node = await readNodeId(root);
    const seal = new AuditSeal({ agentId, node, file, before }, key, { ...point, last });
    return { seal, endsInHead: point.endsInHead };
  }

  /** Says at the end of the file before that another follows, and answers where that end is. */
  async #leavePrevious(
    agentId: AgentId,
    file: string,
    anchor: SignedHead | undefined,
  ): Promise<FileEnd | undefined> {
    const directory = this.#directoryOf(agentId);
    const names = await listAuditFiles(directory);
    const previous = names.filter((name) => name < file).at(-1);
    const path = previous && join(directory, previous);
    if (path && (anchor?.file === previous || (await hasHead(path)))) {
      const { seal } = await this.#use(agentId, path);
      await this.#close(path, 'rotation');
      return seal?.end;
    }
    if (anchor === undefined || anchor.file >= file) return undefined;
    return { file: anchor.file, head: anchor.hash, total: anchor.total };
  }

  /** Once a day's file is left for the next one's, it is seldom needed again. */
  async #closeOtherDays(directory: string, path: string): Promise<void> {
    for (const other of [...this.#files.keys()]) {
      if (other === path || dirname(other) !== directory) continue;
      // Lines of a day gone by come late now and then; the newest file is still the newest.
      await this.#close(other, other < path ? 'rotation' : 'interval');
    }
  }

  async #close(path: string, reason: HeadReason): Promise<void> {
    const file = this.#files.get(path);
    if (file === undefined) return;
    await this.#writeHead(path, file, reason);
    await this.#syncFile(file);
    this.#files.delete(path);
    await file.handle.close();
  }

  async #syncFile(file: OpenFile): Promise<void> {
    if (!file.isDirty) return;
    await file.handle.datasync();
    file.isDirty = false;
    const head = file.seal?.takeNews();
    if (head !== undefined) await writeAnchor(this.#config.root, file.agentId, head);
  }
}

interface Unsealed {
  readonly agentId: AgentId;
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
  readonly key: SigningKey;
}

async function hasHead(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    return (await findLastHead(handle, (await handle.stat()).size)) !== undefined;
  } finally {
    await handle.close();
  }
}

async function endsInLineBreak(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === LINE_BREAK;
}
