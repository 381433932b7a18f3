import type { NewsEvent } from '../../../core/events/event.ts';
import { MAX_WRITE_CHARS } from './event-stream.ts';

/** Frames of one event, always the same for the same event. Defined once per surface: what it made is found by it. */
export type EncodeFrames = (event: NewsEvent) => string;

/** A longer page is somebody catching up, who is alone at his place; it is encoded piece by piece as he takes it. */
const MAX_SHARED_EVENTS = 32;

/** Lives as long as the page does. */
const encoded = new WeakMap<EncodeFrames, WeakMap<readonly NewsEvent[], Uint8Array>>();

/** The frames of a page for `EventStream.send`. Readers that got the same page get the same bytes, encoded once. */
export function encodePage(
  page: readonly NewsEvent[],
  encode: EncodeFrames,
): Iterable<string | Uint8Array> {
  if (page.length > MAX_SHARED_EVENTS) return encodeEach(page, encode);
  const pages = encoded.get(encode) ?? new WeakMap<readonly NewsEvent[], Uint8Array>();
  encoded.set(encode, pages);
  const known = pages.get(page);
  if (known) return [known];
  const text = page.map(encode).join('');
  // In pieces for a slow reader, who would else hold all of it at once.
  if (text.length > MAX_WRITE_CHARS) return encodeEach(page, encode);
  const bytes = Buffer.from(text);
  pages.set(page, bytes);
  return [bytes];
}

function* encodeEach(page: readonly NewsEvent[], encode: EncodeFrames): Generator<string> {
  for (const event of page) yield encode(event);
}
