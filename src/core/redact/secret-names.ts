/**
 * What a name says about the value beside it. `value`: it holds a secret itself. `container`: it holds several, so
 * everything below it is secret, but the bare word in running text means nothing.
 */
export type Secrecy = 'value' | 'container';

/** Longer names are cut on the left: what a name means stands at its end. */
const MAX_NAME_CHARS = 128;

const MAYBE_SECRET = /token|secret|pass|pwd|key|authorization|cookie|credential|otp/i;

const SECRET_ENDINGS =
  /(?:token|secret|password|passwd|passphrase|passcode|apikey|privatekey|secretkey|accesskey)$/;
const SECRET_WORDS = new Set(['pwd', 'authorization', 'cookie', 'otp']);
const CONTAINERS = new Set(['secrets', 'passwords', 'cookies', 'credential', 'credentials']);

/** `token_hash` and `password2` are as secret as what they are made from. */
const QUALIFIERS = new Set(
  'value hash plain plaintext raw string encoded base64 encrypted old new current confirm confirmation'.split(
    ' ',
  ),
);

/** `max_token` and `cost_per_token` count. */
const COUNTING = new Set(['max', 'min', 'num', 'total', 'per', 'avg', 'count']);

/** A bare `key` names a place in a map; only these kinds open a door. */
const SECRET_KEYS = new Set(
  (
    'api private secret access auth encryption decryption signing master service account client ssh ' +
    'subscription shared license admin root hmac webhook session deploy app application'
  ).split(' '),
);
const SECRET_TOKENS = new Set('access refresh api auth bearer session device'.split(' '));
const SECRET_PASSES = new Set(
  'db database user admin root smtp imap mail mysql pg postgres redis ftp my login'.split(' '),
);

/** In the environment anything called `…_KEY` is taken for a secret, save these. */
const PUBLIC_KEYS = new Set(
  'public pub primary foreign cache idempotency sort partition unique dedupe routing lookup'.split(
    ' ',
  ),
);
const ENVIRONMENT_KEY = /^[A-Z][A-Z0-9_]*_KEY$/;

/** Where a shell is. In lower case and with something before it (`pwd`, `DB_PWD`) it is a password. */
const WORKING_DIRECTORIES = new Set(['PWD', 'OLDPWD']);

/** The last answer: a text that repeats a name, hostile or a log file, asks for the same one again and again. */
let last: { readonly name: string; readonly secrecy: Secrecy | undefined } = {
  name: '',
  secrecy: undefined,
};

export function findSecrecy(name: string): Secrecy | undefined {
  if (name === last.name) return last.secrecy;
  last = { name, secrecy: judge(name) };
  return last.secrecy;
}

function judge(name: string): Secrecy | undefined {
  if (!MAYBE_SECRET.test(name) || WORKING_DIRECTORIES.has(name)) return undefined;
  const tail = name.length > MAX_NAME_CHARS ? name.slice(-MAX_NAME_CHARS) : name;
  const words = splitWords(tail);
  while (words.length > 1 && QUALIFIERS.has(words.at(-1) ?? '')) words.pop();
  const end = (words.at(-1) ?? '').replace(/\d{1,4}$/, '');
  const before = words.at(-2) ?? '';
  if (SECRET_ENDINGS.test(end)) {
    return end.endsWith('token') && COUNTING.has(before) ? undefined : 'value';
  }
  if (SECRET_WORDS.has(end)) return 'value';
  if (CONTAINERS.has(end)) return 'container';
  if (end === 'key') return isSecretKey(tail, before) ? 'value' : undefined;
  if (end === 'keys') return SECRET_KEYS.has(before) ? 'container' : undefined;
  if (end === 'tokens') return SECRET_TOKENS.has(before) ? 'container' : undefined;
  if (end === 'pass') return SECRET_PASSES.has(before) ? 'value' : undefined;
  return undefined;
}

function isSecretKey(name: string, before: string): boolean {
  return SECRET_KEYS.has(before) || (ENVIRONMENT_KEY.test(name) && !PUBLIC_KEYS.has(before));
}

/** `X-Api-Key`, `apiKey`, `APIKey` and `api_key` are the same two or three words. */
function splitWords(name: string): string[] {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return spaced
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
