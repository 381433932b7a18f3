import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AppendTarget, EVENT_BYTES, RUNS } from './append-load.ts';

/** The part of `@durable-streams/server` used here. It is not a dependency: it is installed beside, to be measured. */
interface StreamStore {
  create(path: string, options: { contentType: string }): Promise<unknown>;
  append(path: string, data: Uint8Array): Promise<unknown>;
  close(): Promise<void>;
}

interface StreamStoreModule {
  readonly FileBackedStreamStore: new (options: { dataDir: string }) => StreamStore;
}

/** The peer's file store, called in process: one stream for each run. */
export async function openDurableStreams(peersDir: string, dir: string): Promise<AppendTarget> {
  const require = createRequire(join(peersDir, 'package.json'));
  const entry = pathToFileURL(require.resolve('@durable-streams/server')).href;
  const { FileBackedStreamStore } = (await import(entry)) as StreamStoreModule;
  const store = new FileBackedStreamStore({ dataDir: dir });
  const paths = Array.from({ length: RUNS }, (_, run) => `/runs/${run}`);
  for (const path of paths) await store.create(path, { contentType: 'application/octet-stream' });
  return {
    payloadBytes: EVENT_BYTES,
    append: (run, payload) => store.append(paths[run] ?? '', Buffer.from(payload)),
    close: () => store.close(),
  };
}
