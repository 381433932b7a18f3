import { parentPort } from 'node:worker_threads';
import {
  decodeChange,
  type FromIndex,
  type IndexAnswer,
  type IndexRequest,
  type ToIndex,
} from './index-protocol.ts';
import { createInlineIndex } from './inline-index.ts';

/** Entry of the index's thread: one request after the other, each answered. */
const index = createInlineIndex();

function answer(request: IndexRequest): IndexAnswer {
  if (request.kind === 'apply') return void index.apply(request.changes.map(decodeChange));
  return request.kind === 'prepare' ? index.prepare(request.query) : index.search(request.query);
}

function serve({ number, request }: ToIndex): FromIndex {
  try {
    return { number, answer: answer(request) };
  } catch (thrown) {
    return { number, fault: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

parentPort?.on('message', (message: ToIndex) => parentPort?.postMessage(serve(message)));
