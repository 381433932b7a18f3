import type { z } from 'zod';
import { misshapen, parseJson } from './check-parcel.ts';
import { unfit } from './parcel-faults.ts';
import type { ParcelEntry } from './parcel-format.ts';

const NEW_LINE = 0x0a;

/** The rows of an entry. What does not have the shape refuses the whole parcel. */
export function* parseLines<Shape extends z.ZodType>(
  { name, content }: ParcelEntry,
  shape: Shape,
): Generator<z.output<Shape>> {
  let start = 0;
  for (let number = 1; start < content.length; number += 1) {
    const end = content.indexOf(NEW_LINE, start);
    if (end < 0) throw unfit(`${name} ends within a line`);
    const parsed = shape.safeParse(parseJson(content.subarray(start, end)));
    if (!parsed.success) throw misshapen(`${name}, line ${number}`, parsed.error);
    yield parsed.data;
    start = end + 1;
  }
}
