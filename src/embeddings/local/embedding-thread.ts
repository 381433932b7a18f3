import { readFileSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type {
  EmbeddingThreadData,
  FromEmbeddingThread,
  ToEmbeddingThread,
} from './embedding-protocol.ts';
import { parseUseLite } from './use-lite-file.ts';
import { createUseLite } from './use-lite-model.ts';

/** Entry of the embedding thread: loads the model once, then answers one batch after the other. */
function serve(port: MessagePort, { modelFile }: EmbeddingThreadData): void {
  const model = createUseLite(parseUseLite(new Uint8Array(readFileSync(modelFile))));

  port.on('message', ({ texts }: ToEmbeddingThread) => {
    const vectors = model.embed(texts);
    const answer: FromEmbeddingThread = { vectors };
    port.postMessage(
      answer,
      vectors.map(({ buffer }) => buffer),
    );
  });
}

if (parentPort) serve(parentPort, workerData as EmbeddingThreadData);
