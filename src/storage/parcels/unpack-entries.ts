import { tooLarge, unfit } from '../../core/parcels/parcel-faults.ts';
import {
  MAX_ENTRIES,
  MAX_ENTRY_BYTES,
  mayFollow,
  type ParcelEntry,
  SIGNATURE_ENTRY,
} from '../../core/parcels/parcel-format.ts';
import type { FileReader } from './file-reader.ts';
import { BLOCK_BYTES, END_OF_ARCHIVE, findTarEntry, paddingAfter } from './tar-header.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);

/** The entries of an archive that `packEntries` could have made, and of no other; one of them in memory at a time. */
export async function* unpackEntries(file: FileReader): AsyncGenerator<ParcelEntry> {
  let before: string | undefined;
  for (let count = 0; before !== SIGNATURE_ENTRY; count += 1) {
    if (count >= MAX_ENTRIES) throw tooLarge(`${MAX_ENTRIES} entries`);
    const block = await file.take(BLOCK_BYTES);
    const entry = block.length === BLOCK_BYTES ? findTarEntry(block) : undefined;
    if (!entry) throw unreadable(block, before);
    const { name, bytes } = entry;
    if (!mayFollow(name, before)) {
      throw unfit(`an entry named ${JSON.stringify(name)} has no place in it`);
    }
    if (bytes > MAX_ENTRY_BYTES) throw tooLarge(`${MAX_ENTRY_BYTES} bytes in one entry`);
    const content = await file.take(bytes);
    const padding = await file.take(paddingAfter(bytes));
    if (content.length < bytes || padding.length < paddingAfter(bytes)) throw truncated();
    if (padding.some((byte) => byte !== 0)) throw unfit('bytes stand between its entries');
    yield { name, content };
    before = name;
  }
  const end = await file.take(END_OF_ARCHIVE.length + 1);
  if (end.length < END_OF_ARCHIVE.length) throw truncated();
  if (!end.equals(END_OF_ARCHIVE)) throw unfit('something stands behind its end');
}

function unreadable(block: Buffer, before: string | undefined) {
  if (before === undefined && block.subarray(0, 2).equals(GZIP)) {
    return unfit('it is compressed; gunzip it first');
  }
  if (before === undefined) return unfit('it is no parcel: claw agents export makes one');
  return block.length < BLOCK_BYTES || block.every((byte) => byte === 0)
    ? truncated()
    : unfit('one of its entries is no plain file');
}

function truncated() {
  return unfit('its end is missing');
}
