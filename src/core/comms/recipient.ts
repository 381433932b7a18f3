import { createHash } from 'node:crypto';

/** `Ada <ada@example.com>`: only what is between the brackets is an address. */
const NAMED_ADDRESS = /<([^<>]*)>\s*$/;

/** What would make a URL out of a domain that is more than its host. */
const NOT_IN_DOMAIN = /[\s/?#\\:@[\]%]/;

/** The address alone, in small letters: mail providers answer in another case than they were asked in. */
export function bareRecipient(recipient: string): string {
  const address = NAMED_ADDRESS.exec(recipient)?.[1] ?? recipient;
  return address.normalize('NFC').trim().toLowerCase();
}

/**
 * One spelling for each recipient: a domain has its letters and the form that name servers know. What stands before the
 * @ is left as it is, tags included: whose it is, only that domain knows.
 */
export function normalizeRecipient(recipient: string): string {
  const address = bareRecipient(recipient);
  const at = address.lastIndexOf('@');
  return at < 0 ? address : `${address.slice(0, at + 1)}${toHostName(address.slice(at + 1))}`;
}

function toHostName(domain: string): string {
  const url = `http://${domain}`;
  const isHost = domain !== '' && !NOT_IN_DOMAIN.test(domain) && URL.canParse(url);
  return (isHost ? new URL(url).hostname : domain).replace(/\.$/, '');
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
