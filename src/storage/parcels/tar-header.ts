import { RuntimeError } from '../../core/errors.ts';

/** Entries and headers fill whole blocks. */
export const BLOCK_BYTES = 512;
export const END_OF_ARCHIVE = new Uint8Array(2 * BLOCK_BYTES);

const MAX_NAME_BYTES = 100;
/** Of POSIX.1-1988, in the order in which it lays the fields out. A plain file that its owner may read and write. */
const MODE = '0000600\0';
const NOBODY = '0000000\0';
const SIZE = { start: 124, end: 135 };
const CHECKSUM_START = 148;
const PLAIN_FILE = '0';
const MAGIC_START = 257;
const MAGIC = 'ustar\x0000';
const OCTAL_SIZE = /^[0-7]{11}$/;

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
}

/** The one header that an entry can have: no dates, no owners. Archives of the same entries are the same bytes. */
export function encodeTarHeader({ name, bytes }: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new RuntimeError('internal', `${name} is too long for the name of an entry`);
  }
  block.write(name, 0);
  block.write(MODE, 100);
  block.write(NOBODY, 108);
  block.write(NOBODY, 116);
  block.write(`${toOctal(bytes, 11)}\0`, SIZE.start);
  block.write(`${toOctal(0, 11)}\0`, 136);
  block.write(PLAIN_FILE, 156);
  block.write(MAGIC, MAGIC_START);
  block.write(`${toOctal(sumOf(block), 6)}\0 `, CHECKSUM_START);
  return block;
}

/** Undefined for every block that `encodeTarHeader` does not make: links, folders, devices, extensions, other dates. */
export function findTarEntry(block: Buffer): TarEntry | undefined {
  const end = block.indexOf(0);
  const size = block.toString('latin1', SIZE.start, SIZE.end);
  if (end < 1 || end > MAX_NAME_BYTES || !OCTAL_SIZE.test(size)) return undefined;
  const entry = { name: block.toString('latin1', 0, end), bytes: Number.parseInt(size, 8) };
  return encodeTarHeader(entry).equals(block) ? entry : undefined;
}

/** What follows an entry up to the next block. */
export function paddingAfter(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** Of all bytes, those of the sum itself taken for blanks. */
function sumOf(block: Buffer): number {
  const blanks = 8 * 0x20;
  return block.reduce((sum, byte) => sum + byte, blanks);
}

function toOctal(number: number, digits: number): string {
  return number.toString(8).padStart(digits, '0');
}
