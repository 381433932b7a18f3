import { digestKey } from '../secrets/digest-key.ts';
import { expire, put } from '../store/change.ts';
import { collection } from '../store/collection.ts';
import { find } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, defineWrite } from '../store/write.ts';
import type { NonceStore } from './nonce-store.ts';

interface NonceRow {
  /** A digest: whoever reads the database learns no nonce. */
  readonly key: string;
  readonly expiresAtMs: number;
}

export const NONCES = collection<NonceRow>()('nonces', 'key');

/**
 * A nonce is kept this much longer than its token is good for: the clock that judges tokens is not the store's, and while
 * the one is behind the other a token would have a second life.
 */
export const CLOCK_DIFFERENCE_MS = 60_000;

/** More than the one a use adds: the expired ones get fewer, and no request waits for many of them. */
const MAX_EXPIRED_BY_USE = 4;

const use = defineWrite({
  name: 'nonces.use',
  locks: ({ key }: NonceRow) => [`nonce ${key}`],
  needs: ({ key }) => ({ known: find(NONCES, { key }) }),
  decide({ known }, nonce, nowMs) {
    const goneAtMs = nowMs - CLOCK_DIFFERENCE_MS;
    // One that has expired and is still there is as good as absent.
    if (known && known.expiresAtMs > goneAtMs) return answer(false);
    const past = { by: 'expiresAtMs', untilMs: goneAtMs, max: MAX_EXPIRED_BY_USE } as const;
    return { value: true, changes: [put(NONCES, nonce), expire(NONCES, past)] };
  },
});

export const NONCE_WRITES = { use };

export function createNonceStore({ write }: Tables): NonceStore {
  return { use: ({ value, expiresAtMs }) => write(use, { key: digestKey(value), expiresAtMs }) };
}
