import { unlink } from 'node:fs/promises';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import { encodeTranscript } from '../../core/transcripts/encode-transcript.ts';
import type { TranscriptDocument } from '../../core/transcripts/transcript-document.ts';
import type {
  NewTranscript,
  Transcript,
  TranscriptMessage,
} from '../../core/transcripts/transcript-store.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import {
  assertFound,
  type FoundFile,
  getFile,
  loadFile,
  parseId,
  toTranscript,
} from './find-transcript.ts';
import { toTimes } from './list-transcripts.ts';
import { MAX_TRANSCRIPT_BYTES, type ReadDeps, readOnce } from './read-transcript.ts';
import { removeTranscript } from './remove-transcript.ts';
import { toForkedDocument, toNewDocument, withMessages } from './transcript-changes.ts';
import { alreadyExists, deleteFailed, diskFault, notFound, tooLarge } from './transcript-faults.ts';
import {
  doesExist,
  findFile,
  type TranscriptFile,
  type TranscriptPlaces,
  toHome,
} from './transcript-places.ts';
import {
  appendLine,
  makeDurableDirectory,
  pruneRotations,
  ROTATE_BYTES,
  replaceTranscript,
  rotateTranscript,
} from './write-transcript.ts';

/** What changes transcripts. Apart from what reads them, and loaded when it is needed: most commands only read. */
export class TranscriptWriter {
  readonly #places: TranscriptPlaces;
  readonly #deps: ReadDeps;
  readonly #clock: Clock;

  constructor(places: TranscriptPlaces, deps: ReadDeps) {
    this.#places = places;
    this.#deps = deps;
    this.#clock = deps.clock;
  }

  create(content: NewTranscript): Promise<Transcript> {
    return this.#add(content.id, () => toNewDocument(content, this.#now()));
  }

  async fork(reference: string, newId: string): Promise<Transcript> {
    const asked = await getFile(this.#places, this.#deps, reference);
    const { file, read } = await loadFile(this.#places, this.#deps, asked);
    return this.#add(newId, () => toForkedDocument(read.document, file.id, this.#now()));
  }

  async append(id: string, messages: readonly TranscriptMessage[]): Promise<Transcript> {
    return this.#change(parseId(id), async (found) => {
      if (messages.length === 0) return found;
      const { file, read } = found;
      const document = withMessages(read.document, messages, this.#clock.nowMs());
      // A single line is added in place. Several are all there or none of them, which only a whole new file can promise.
      const line =
        messages.length === 1 && read.canAppend ? document.lines.messages.at(-1) : undefined;
      if (line === undefined) return this.#write(found, document);
      const bytes = read.bytes + Buffer.byteLength(line) + 1;
      if (bytes > MAX_TRANSCRIPT_BYTES) throw tooLarge(file.id, MAX_TRANSCRIPT_BYTES);
      await appendLine(file.path, line);
      return { file, read: { ...read, document, bytes } };
    });
  }

  snapshot(reference: string): Promise<Transcript> {
    return this.#change(reference, async (found) => {
      const { file, read } = found;
      const isOvergrown = read.bytes >= ROTATE_BYTES && file.path === toHome(this.#places, file.id);
      if (!isOvergrown) return this.#write(found, read.document);
      await rotateTranscript(file.path, this.#clock.nowMs());
      const written = await this.#write(found, read.document);
      await pruneRotations(file.path);
      return written;
    });
  }

  async remove(id: string): Promise<boolean> {
    const file = await findFile(this.#places, parseId(id));
    if (file === undefined) return false;
    try {
      return await this.#hold(id, () => removeTranscript(this.#places, id));
    } catch (error) {
      const isSaid = error instanceof RuntimeError && error.details?.['kind'] !== undefined;
      throw isSaid ? error : deleteFailed(id, file.path, error);
    }
  }

  async #add(id: string, toDocument: () => TranscriptDocument): Promise<Transcript> {
    const file = { id: parseId(id), path: toHome(this.#places, id) };
    return this.#hold(id, async () => {
      const taken = await findFile(this.#places, id);
      if (taken !== undefined) throw alreadyExists(id, taken.path);
      const document = toDocument();
      await this.#replace(file, document);
      return toTranscript({
        file,
        read: await assertFound(this.#places, file, await readOnce(file.path)),
      });
    });
  }

  /** With what the file holds once nobody else can change it. */
  async #change(
    reference: string,
    work: (found: FoundFile) => Promise<FoundFile>,
  ): Promise<Transcript> {
    const asked = await getFile(this.#places, this.#deps, reference);
    return this.#hold(asked.id, async () => {
      const file = await findFile(this.#places, asked.id);
      if (file === undefined) throw notFound(reference, this.#places.directory);
      // A path may name an older file of the same session: writing would put it in place of the newer one.
      const isOlder = file.path !== asked.path && (await doesExist(asked.path));
      if (isOlder) throw alreadyExists(asked.id, file.path);
      const read = await assertFound(this.#places, file, await readOnce(file.path));
      return toTranscript(await work({ file, read }));
    });
  }

  async #hold<T>(id: string, work: () => Promise<T>): Promise<T> {
    await makeDurableDirectory(this.#places.directory);
    const locks = await this.#deps.loadLocks();
    return locks.hold(id, work);
  }

  /** Anew and where it belongs; the file of an older format or place goes. */
  async #write({ file, read }: FoundFile, document: TranscriptDocument): Promise<FoundFile> {
    const home = { id: file.id, path: toHome(this.#places, file.id) };
    // What the old file only said by its date has to be written down: the new one has another.
    const { createdAtMs } = toTimes(file.id, read);
    const { updatedAtMs } = toTimes(file.id, { ...read, document });
    const workspaceRoot = document.meta.workspaceRoot ?? this.#now().workspaceRoot;
    const settled = {
      ...document,
      meta: { ...document.meta, createdAtMs, updatedAtMs, workspaceRoot },
    };
    const bytes = await this.#replace(home, settled);
    if (file.path !== home.path) await removeFormer(file);
    return { file: home, read: { ...read, document: settled, bytes, hasTornTail: false } };
  }

  async #replace({ id, path }: TranscriptFile, document: TranscriptDocument): Promise<number> {
    const content = encodeTranscript(id, document);
    const bytes = Buffer.byteLength(content);
    if (bytes > MAX_TRANSCRIPT_BYTES) throw tooLarge(id, MAX_TRANSCRIPT_BYTES);
    await replaceTranscript(path, content);
    return bytes;
  }

  #now() {
    return { nowMs: this.#clock.nowMs(), workspaceRoot: this.#places.root };
  }
}

async function removeFormer({ path }: TranscriptFile): Promise<void> {
  try {
    await unlink(path);
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw diskFault('unlink', path, cause);
  }
}
