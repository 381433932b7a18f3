import { createHash } from 'node:crypto';

/** Keys of any length, with any character, as one that fits an index. */
export function digestKey(key: string): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
