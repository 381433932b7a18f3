import { createHash, type Hash } from 'node:crypto';
import {
  encodeHead,
  FIRST_HEAD,
  type FileEnd,
  type HeadReason,
  hashHead,
} from '../../core/records/audit-head.ts';
import type { SigningKey } from '../../core/secrets/signing-key.ts';

/**
 * Lines that one head signs at most. Signing takes some 40 µs and a head 600 bytes, little for each of so many, and a
 * fault that only a signature tells is placed within them.
 */
export const LINES_PER_HEAD = 128;

/** The last head of a file, and what came after it. */
export interface SealPoint {
  readonly last: SealedHead | undefined;
  /** Of the lines behind it. */
  readonly segment: Hash;
  readonly lines: number;
}

interface SealedHead {
  readonly number: number;
  readonly hash: string;
  readonly fileLines: number;
  readonly total: number;
  readonly reason: HeadReason;
}

export interface SealedFile {
  readonly agentId: string;
  readonly node: string | undefined;
  readonly file: string;
  readonly before: FileEnd | undefined;
}

/** Counts and hashes what is written to one audit file, and signs it now and then. */
export class AuditSeal {
  readonly #file: SealedFile;
  readonly #key: SigningKey;
  #last: SealedHead | undefined;
  #segment: Hash;
  #lines: number;
  #waitingSinceMs: number | undefined;
  /** The line of the newest head, until it is fetched. */
  #news: string | undefined;

  constructor(file: SealedFile, key: SigningKey, { last, segment, lines }: SealPoint) {
    this.#file = file;
    this.#key = key;
    this.#last = last;
    this.#segment = segment;
    this.#lines = lines;
    // Left by a crash: they have waited long enough.
    if (lines > 0) this.#waitingSinceMs = 0;
  }

  /** How many lines may come before a head has to. */
  get room(): number {
    return Math.max(0, LINES_PER_HEAD - this.#lines);
  }

  get waitingSinceMs(): number | undefined {
    return this.#waitingSinceMs;
  }

  /** Where a next file goes on from. */
  get end(): FileEnd | undefined {
    if (this.#last === undefined) return undefined;
    const { hash, total } = this.#last;
    return { file: this.#file.file, head: hash, total };
  }

  /** Whether a head for this reason would say something new. */
  isDue(reason: HeadReason): boolean {
    if (this.#lines > 0) return true;
    const last = this.#last?.reason;
    if (reason === 'rotation') return last !== undefined && last !== 'rotation';
    return reason === 'stop' && last === 'interval';
  }

  take(text: string, { lines, nowMs }: { readonly lines: number; readonly nowMs: number }): void {
    this.#segment.update(text);
    this.#lines += lines;
    this.#waitingSinceMs ??= nowMs;
  }

  /** The head that signs what was taken since the last one, as a line. */
  sign(reason: HeadReason, nowMs: number): string {
    const { before } = this.#file;
    const fileLines = (this.#last?.fileLines ?? 0) + this.#lines;
    const number = (this.#last?.number ?? 0) + 1;
    const total = (before?.total ?? 0) + fileLines;
    const line = encodeHead(
      {
        ...this.#file,
        atMs: nowMs,
        number,
        lines: this.#lines,
        fileLines,
        total,
        digest: this.#segment.digest('hex'),
        prevHead: this.#last?.hash ?? FIRST_HEAD,
        reason,
      },
      this.#key,
    );
    this.#last = { number, hash: hashHead(line), fileLines, total, reason };
    this.#segment = createHash('sha256');
    this.#lines = 0;
    this.#waitingSinceMs = undefined;
    this.#news = line;
    return `${line}\n`;
  }

  takeNews(): string | undefined {
    const news = this.#news;
    this.#news = undefined;
    return news;
  }
}
