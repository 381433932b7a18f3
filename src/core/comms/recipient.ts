import { createHash } from 'node:crypto';

/** `Ada <ada@example.com>`: only what is between the brackets is an address. */
const NAMED_ADDRESS = /<([^<>]*)>\s*$/;

/** One spelling for each recipient: mail providers answer in another case than they were asked in. */
export function normalizeRecipient(recipient: string): string {
  const address = NAMED_ADDRESS.exec(recipient)?.[1] ?? recipient;
  return address.normalize('NFC').trim().toLowerCase();
}

/**
 * What is stored instead of a recipient. It recognises one that is known and tells nobody who it is, short of trying
 * addresses out.
 */
export function digestRecipient(recipient: string): string {
  return createHash('sha256')
    .update(`recipient:${normalizeRecipient(recipient)}`)
    .digest('hex');
}
