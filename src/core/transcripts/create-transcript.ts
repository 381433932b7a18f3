import { RuntimeError } from '../errors.ts';
import type { NewTranscript, Transcript, TranscriptStore } from './transcript-store.ts';

/** Ids of two processes meet only when both made their first one in the same millisecond. */
const MAX_TRIES = 16;

/** Creates a transcript under an id that nobody has. */
export async function createTranscript(
  store: Pick<TranscriptStore, 'create' | 'newId'>,
  content: Omit<NewTranscript, 'id'>,
): Promise<Transcript> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.create({ ...content, id: store.newId() });
    } catch (error) {
      const isTaken = error instanceof RuntimeError && error.code === 'conflict';
      if (!isTaken || tries === MAX_TRIES) throw error;
    }
  }
}
