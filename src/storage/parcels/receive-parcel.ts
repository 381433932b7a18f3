import type { FileHandle } from 'node:fs/promises';
import type { ReceivedParcel } from '../../core/parcels/parcel-container.ts';
import { tooManyBytes } from '../../core/parcels/parcel-faults.ts';
import { MAX_PARCEL_BYTES } from '../../core/parcels/parcel-format.ts';
import { openScratchFile } from '../../platform/scratch-file.ts';
import { createFileReader } from './file-reader.ts';
import { unpackEntries } from './unpack-entries.ts';

/** Kept on disk: it is read twice, and what was checked the first time must be what is read the second. */
export async function receiveParcel(source: AsyncIterable<Uint8Array>): Promise<ReceivedParcel> {
  const handle = await openScratchFile();
  try {
    await fill(handle, source);
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
  return {
    entries: () => unpackEntries(createFileReader(handle)),
    close: () => handle.close(),
  };
}

async function fill(handle: FileHandle, source: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > MAX_PARCEL_BYTES) throw tooManyBytes();
    await handle.appendFile(chunk);
  }
}
