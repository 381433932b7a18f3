import { Buffer } from 'node:buffer';

/** One character for each byte, so that a name that is no UTF-8 leads to its file and to no other. */
export function toBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}

export function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

export function toDiskPath(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1');
}
