import type { Clock } from '../../core/clock.ts';
import { nextTranscriptId } from '../../core/transcripts/transcript-id.ts';
import type {
  NewTranscript,
  Transcript,
  TranscriptList,
  TranscriptMessage,
  TranscriptStore,
} from '../../core/transcripts/transcript-store.ts';
import { getFile, loadFile, toTranscript } from './find-transcript.ts';
import { listTranscripts } from './list-transcripts.ts';
import { letOthersWork, type ReadDeps } from './read-transcript.ts';
import type { TranscriptLocks } from './transcript-locks.ts';
import { findPlaces, type TranscriptPlaces } from './transcript-places.ts';
import type { TranscriptWriter } from './transcript-writer.ts';

export interface TranscriptFilesOptions {
  /** The workspace; its transcripts lie below it, in a folder of their own. */
  readonly root: string;
  /** The folder itself, instead. */
  readonly directory?: string | undefined;
  readonly clock: Clock;
}

/** Transcripts as files. Nothing is created before the first one is written. */
export async function createTranscriptFiles(
  options: TranscriptFilesOptions,
): Promise<TranscriptStore> {
  const { root, directory, clock } = options;
  return new TranscriptFiles(await findPlaces(root, directory), clock);
}

class TranscriptFiles implements TranscriptStore {
  readonly #places: TranscriptPlaces;
  readonly #deps: ReadDeps;
  readonly #clock: Clock;
  #locks: Promise<TranscriptLocks> | undefined;
  #writer: Promise<TranscriptWriter> | undefined;

  constructor(places: TranscriptPlaces, clock: Clock) {
    this.#places = places;
    this.#clock = clock;
    this.#deps = { loadLocks: () => this.#loadLocks(), clock };
  }

  get directory(): string {
    return this.#places.directory;
  }

  newId(): string {
    return nextTranscriptId(this.#clock.nowMs());
  }

  async list(limit: number): Promise<TranscriptList> {
    await letOthersWork();
    return listTranscripts(this.#places, this.#deps, limit);
  }

  async load(reference: string): Promise<Transcript> {
    await letOthersWork();
    const file = await getFile(this.#places, this.#deps, reference);
    return toTranscript(await loadFile(this.#places, this.#deps, file));
  }

  async create(content: NewTranscript): Promise<Transcript> {
    return (await this.#loadWriter()).create(content);
  }

  async fork(reference: string, newId: string): Promise<Transcript> {
    return (await this.#loadWriter()).fork(reference, newId);
  }

  async append(id: string, messages: readonly TranscriptMessage[]): Promise<Transcript> {
    return (await this.#loadWriter()).append(id, messages);
  }

  async snapshot(reference: string): Promise<Transcript> {
    return (await this.#loadWriter()).snapshot(reference);
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#loadWriter()).remove(id);
  }

  #loadLocks(): Promise<TranscriptLocks> {
    this.#locks ??= import('./transcript-locks.ts').then(({ createTranscriptLocks }) =>
      createTranscriptLocks(this.directory, this.#clock),
    );
    return this.#locks;
  }

  #loadWriter(): Promise<TranscriptWriter> {
    this.#writer ??= import('./transcript-writer.ts').then(
      (loaded) => new loaded.TranscriptWriter(this.#places, this.#deps),
    );
    return this.#writer;
  }
}
