/** Nonces of signed requests, shared by all nodes, each good for one request. */
export interface NonceStore {
  /** False when it was used before and its token has not expired since. Durable when this returns. */
  use(nonce: UsedNonce): Promise<boolean>;
}

interface UsedNonce {
  readonly value: string;
  /** The token it came with is refused from then on, so the nonce need not be kept. */
  readonly expiresAtMs: number;
}
