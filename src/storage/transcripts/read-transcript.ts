import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Clock } from '../../core/clock.ts';
import { decodeTranscript } from '../../core/transcripts/decode-transcript.ts';
import type {
  DecodedTranscript,
  TranscriptDocument,
} from '../../core/transcripts/transcript-document.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { diskFault } from './transcript-faults.ts';
import type { TranscriptLocks } from './transcript-locks.ts';
import type { TranscriptFile } from './transcript-places.ts';

/** Years of talk; more is no transcript. */
export const MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024;

export type TranscriptRead =
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'corrupt'; readonly line: number | undefined; readonly reason: string }
  | FoundTranscript;

export interface FoundTranscript {
  readonly outcome: 'found';
  readonly document: TranscriptDocument;
  readonly hasTornTail: boolean;
  /** False when the next line can't simply be written behind the last. */
  readonly canAppend: boolean;
  readonly bytes: number;
  readonly mtimeMs: number;
}

export interface ReadDeps {
  /** Needed only for a file that looks broken. */
  loadLocks(): Promise<TranscriptLocks>;
  readonly clock: Clock;
}

/**
 * A turn of everything else in this process. Files are read at once, without waiting: whoever reads in a loop would
 * keep it all from happening.
 */
export function letOthersWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const SETTLE_TRIES = 100;
const SETTLE_PAUSE_MS = 10;

/**
 * Reads without a lock, so that a folder that can't be written can be read. What looks broken while somebody writes it
 * is looked at again.
 */
export async function readTranscript(
  file: TranscriptFile,
  deps: ReadDeps,
): Promise<TranscriptRead> {
  let read = await readOnce(file.path);
  for (let tries = 0; tries < SETTLE_TRIES && isDoubtful(read); tries += 1) {
    const locks = await deps.loadLocks();
    const isHeld = await locks.isHeld(file.id);
    if (isHeld) await deps.clock.sleep(SETTLE_PAUSE_MS);
    const again = await readOnce(file.path);
    // Nobody at it before, and nothing changed since: so it is.
    if (!isHeld && isSame(read, again)) return again;
    read = again;
  }
  return read;
}

function isDoubtful(read: TranscriptRead): boolean {
  return read.outcome === 'corrupt' || (read.outcome === 'found' && read.hasTornTail);
}

function isSame(read: TranscriptRead, again: TranscriptRead): boolean {
  if (read.outcome === 'found' && again.outcome === 'found') {
    return read.bytes === again.bytes && read.mtimeMs === again.mtimeMs;
  }
  if (read.outcome === 'corrupt' && again.outcome === 'corrupt') {
    return read.line === again.line && read.reason === again.reason;
  }
  return read.outcome === again.outcome;
}

// A link could lead out of the folder, and opening a pipe would wait for somebody to write into it.
export const SAFE_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Without a second look: for whoever holds the lock. At once, in this thread: to hand a file to the threads of Node and
 * to wait for them takes several times as long as to read it.
 */
export async function readOnce(path: string): Promise<TranscriptRead> {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | SAFE_FLAGS);
    const stats = fstatSync(fd);
    if (!stats.isFile()) return corrupt('it is not a regular file');
    if (stats.size > MAX_TRANSCRIPT_BYTES) {
      return corrupt(`it is larger than ${MAX_TRANSCRIPT_BYTES} bytes`);
    }
    const bytes = readBytes(fd, stats.size);
    const decoded = decodeBytes(bytes);
    if (decoded.outcome === 'corrupt') return decoded;
    const { document, hasTornTail } = decoded;
    const canAppend = path.endsWith('.jsonl') && isAppendable(document, bytes);
    const { mtimeMs } = stats;
    return { outcome: 'found', document, hasTornTail, canAppend, bytes: bytes.length, mtimeMs };
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return { outcome: 'missing' };
    if (errnoOf(cause) === 'ELOOP') return corrupt('it is a symbolic link');
    throw diskFault('read', path, cause);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** No further than the file reached when it was opened. */
function readBytes(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const bytesRead = readSync(fd, buffer, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

const LINE_BREAK = 10;

function decodeBytes(bytes: Buffer): DecodedTranscript {
  const end = bytes.lastIndexOf(LINE_BREAK) + 1;
  const [body, tail] = [bytes.subarray(0, end), bytes.subarray(end)];
  if (!isUtf8(body)) {
    return { outcome: 'corrupt', line: findBadLine(body), reason: 'it is not valid UTF-8' };
  }
  // A character cut in two: no JSON comes of the replacement that is read for it.
  return decodeTranscript(body.toString('utf8'), isUtf8(tail) ? tail.toString('utf8') : '\ufffd');
}

function findBadLine(body: Buffer): number {
  let line = 1;
  for (let start = 0; start < body.length; line += 1) {
    const end = body.indexOf(LINE_BREAK, start);
    if (end === -1 || !isUtf8(body.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}

/** The older format has everything in one object: there is no line to write behind. */
function isAppendable({ meta }: TranscriptDocument, bytes: Buffer): boolean {
  return bytes.at(-1) === LINE_BREAK && meta.record['type'] === 'session_meta';
}

function corrupt(reason: string): TranscriptRead {
  return { outcome: 'corrupt', line: undefined, reason };
}
