import { RuntimeError } from '../errors.ts';
import { OPERATOR } from '../principal.ts';

/** Gives the value behind a name, or undefined when there is none for the one who asks. */
export type FindSecret = (name: string) => Promise<string | undefined>;

const PROVIDER_PREFIX = 'provider/';

/** Where the key of a model provider is kept. */
export function toProviderSecret(provider: string): string {
  return `${PROVIDER_PREFIX}${provider}/api_key`;
}

/** Those are the providers' alone: an agent must not be able to send one to a host of its choice. */
export function isProviderSecret(name: string): boolean {
  return name.startsWith(PROVIDER_PREFIX);
}

/**
 * Whether a call may send this secret. Secrets are the operator's: others use those that the operator shares with them,
 * and to them the rest does not exist.
 */
export function mayUseSecret(principal: string, name: string, shared: readonly string[]): boolean {
  return principal === OPERATOR || shared.includes(name);
}

const REFERENCE = /\{\{\s*secret:([^{}]*)\}\}/g;

/**
 * Fills in every `{{secret:NAME}}` of a setting that an operator wrote. An unknown name throws: a reference must never
 * go out as if it were the value.
 */
export async function fillSecretReferences(text: string, find: FindSecret): Promise<string> {
  let filled = '';
  let cursor = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const name = (match[1] ?? '').trim();
    const value = await find(name);
    if (value === undefined) {
      throw new RuntimeError('config_invalid', `secret ${JSON.stringify(name)} does not exist`, {
        details: { secret: name, hint: `claw secrets set ${name}` },
      });
    }
    filled += text.slice(cursor, match.index) + value;
    cursor = match.index + match[0].length;
  }
  return filled + text.slice(cursor);
}
