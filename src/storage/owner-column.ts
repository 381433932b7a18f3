import { OPERATOR } from '../core/principal.ts';

/** Most things are the operator's: for them the column is empty. */
export function encodeOwner(owner: string): string | null {
  return owner === OPERATOR ? null : JSON.stringify(owner);
}

export function decodeOwner(stored: string | null): string {
  return stored === null ? OPERATOR : (JSON.parse(stored) as string);
}
