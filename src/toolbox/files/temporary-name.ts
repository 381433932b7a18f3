import { randomBytes } from 'node:crypto';

const TEMPORARY = /^\.pincer-[0-9a-f]{16}\.tmp$/;

/** For a file that is renamed as soon as it is whole. A crash in between leaves it behind. */
export function createTemporaryName(): string {
  return `.pincer-${randomBytes(8).toString('hex')}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name);
}
