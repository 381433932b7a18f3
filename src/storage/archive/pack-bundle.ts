import { createGzip } from 'node:zlib';
import { pack as createPack } from 'tar-stream';
import type { Bundle } from '../../core/records/record-sink.ts';
import { FILE_MODE } from '../../platform/owner-only.ts';

/** One file of a bundle, in a folder that is named after its run. */
export function packBundle({ runId, files }: Bundle): AsyncIterable<Uint8Array> {
  const pack = createPack();
  for (const [name, text] of files) {
    pack.entry({ name: `${runId}/${name}`, mode: FILE_MODE }, text);
  }
  pack.finalize();
  return pack.pipe(createGzip());
}
