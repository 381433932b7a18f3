import { RuntimeError } from '../../core/errors.ts';
import { isProviderSecret } from '../../core/secrets/secret-references.ts';

/** Gives the value behind `{{secret:NAME}}`, or undefined when there is no such secret for the caller. */
export type ResolveSecret = (name: string) => Promise<string | undefined>;

export interface ResolvedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that now hold a secret. */
  readonly secretNames: ReadonlySet<string>;
  readonly secrets: readonly string[];
}

const REFERENCE = /\{\{\s*secret:([A-Za-z0-9_./-]{1,128})\s*\}\}/g;

/** Whether any of the headers refers to a secret, malformed references included. */
export function namesSecret(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null) return false;
  return Object.values(headers).some((value) => /\{\{\s*secret:/.test(String(value)));
}

export async function resolveSecretReferences(
  headers: Readonly<Record<string, string>>,
  resolve: ResolveSecret | undefined,
): Promise<ResolvedHeaders> {
  const resolved: Record<string, string> = {};
  const secretNames = new Set<string>();
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    let filled = value;
    for (const [reference, key = ''] of value.matchAll(REFERENCE)) {
      const secret = await getSecret(key, resolve);
      filled = filled.replaceAll(reference, () => secret);
      secretNames.add(name);
      secrets.add(secret);
    }
    // A typing slip must not go out as if it were the value.
    if (filled.includes('{{secret:'))
      throw missing(name, `header ${name} has a malformed secret reference`);
    resolved[name] = filled;
  }
  return { headers: resolved, secretNames, secrets: [...secrets] };
}

async function getSecret(key: string, resolve: ResolveSecret | undefined): Promise<string> {
  if (isProviderSecret(key)) {
    throw new RuntimeError(
      'policy_denied',
      `secret ${key} is the key of a model provider, which tools may not send`,
      { details: { field: 'headers', secret: key } },
    );
  }
  if (resolve === undefined)
    throw missing(key, `secret ${key} is not available: there is no secret store`);
  const secret = await resolve(key);
  if (secret === undefined || secret === '') throw missing(key, `secret ${key} does not exist`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what would break out of the header
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(secret))
    throw missing(key, `secret ${key} can't be sent in a header`);
  return secret;
}

function missing(secret: string, message: string): RuntimeError {
  return new RuntimeError('tool_input_invalid', message, { details: { field: 'headers', secret } });
}

const MASK = '[REDACTED]';
// Shorter than this, a match says nothing and masking would tear holes into every text.
const MIN_SECRET_CHARS = 4;
const MIN_BASE64_CHARS = 8;

/** Takes the secrets out of a text that came back: servers like to repeat what they were sent. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_CHARS) continue;
    for (const form of listForms(secret)) {
      masked = masked.replaceAll(form, MASK);
      // The text may have been cut in the middle of it.
      for (let length = form.length - 1; length >= MIN_SECRET_CHARS; length -= 1) {
        if (!masked.endsWith(form.slice(0, length))) continue;
        masked = `${masked.slice(0, -length)}${MASK}`;
        break;
      }
    }
  }
  return masked;
}

/** The longest first: a form that holds another must not be left in pieces. */
function listForms(secret: string): string[] {
  const forms = new Set([
    secret,
    encodeForUrl(secret),
    JSON.stringify(secret).slice(1, -1),
    ...listBase64(secret),
  ]);
  return [...forms].sort((a, b) => b.length - a.length);
}

function encodeForUrl(secret: string): string {
  return encodeURIComponent(secret.toWellFormed());
}

/**
 * As it stands in base64 of a longer text, such as `user:secret`: three bytes become four characters, so it can begin
 * at three places. Characters that its neighbours have a share in are left out.
 */
function listBase64(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor(((offset + bytes.length) * 8) / 6);
    const inner = whole.slice(from, to);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return forms.filter((form) => form.length >= MIN_BASE64_CHARS);
}
