import { RuntimeError } from '../core/errors.ts';
import { RUN_ID_PATTERN } from '../core/ids.ts';

/** A place in a list, as callers get it: where it is made of an id or a key is nobody's business but ours. */
export function encodeCursor(place: string): string {
  return Buffer.from(place).toString('base64url');
}

export function decodeCursor(cursor: string, isPlace: (text: string) => boolean): string {
  const place = Buffer.from(cursor, 'base64url').toString('utf8');
  // Decoding skips what is not base64url: only a cursor that we made encodes back to itself.
  if (isPlace(place) && encodeCursor(place) === cursor) return place;
  throw new RuntimeError('invalid_input', 'cursor is not one that a list answered with');
}

/** Of a page: null when it is the last one. */
export function encodeNext(place: string | undefined): string | null {
  return place === undefined ? null : encodeCursor(place);
}

/** Where a list goes by ids: all of them have one alphabet and one bound. */
export function decodeIdCursor(cursor: string): string {
  return decodeCursor(cursor, (place) => RUN_ID_PATTERN.test(place));
}
