import type { ParcelEntry } from '../../core/parcels/parcel-format.ts';
import { END_OF_ARCHIVE, encodeTarHeader, paddingAfter } from './tar-header.ts';

/** A tar archive, as it comes. Not compressed: what is signed has one form, and nothing unpacks to more than it is. */
export async function* packEntries(
  entries: AsyncIterable<ParcelEntry>,
): AsyncGenerator<Uint8Array> {
  for await (const { name, content } of entries) {
    yield encodeTarHeader({ name, bytes: content.length });
    if (content.length > 0) yield content;
    const padding = paddingAfter(content.length);
    if (padding > 0) yield new Uint8Array(padding);
  }
  yield END_OF_ARCHIVE;
}
