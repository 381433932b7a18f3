import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from './create-redactor.ts';
import { createStreamRedactor } from './stream-redactor.ts';

const RUNS = 400;
const KNOWN = ['Tr0ub4dor and three', 'zq-9known-value', 'multi\nline\nsecret value'];
const redactor = createRedactor({ secrets: () => KNOWN });

const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function chars(alphabet: string, min: number, max = min): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.constantFrom(...alphabet),
    minLength: min,
    maxLength: max,
  });
}

/** The digit keeps a random body from being an ordinary word. */
const body = chars(ALNUM, 24, 60).map((text) => `${text}7`);
const password = fc
  .tuple(chars(`${ALNUM}!#$%^*+=_.~-`, 8, 30), chars(ALNUM, 1))
  .map(([text, end]) => `q9${text}${end}`);

/** A secret as it stands in a text, and the part of it that must not survive. */
interface Planted {
  readonly text: string;
  readonly secret: string;
}

function plant(
  secret: fc.Arbitrary<string>,
  write: (secret: string) => string,
): fc.Arbitrary<Planted> {
  return secret.map((value) => ({ text: write(value), secret: value }));
}

function pem(kind: string, base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${kind}PRIVATE KEY-----\n${lines.join('\n')}\n-----END ${kind}PRIVATE KEY-----`;
}

const planted: fc.Arbitrary<Planted> = fc.oneof(
  plant(body, (s) => `Bearer ${s}`),
  plant(body, (s) => `Authorization: Bearer ${s}`),
  plant(body, (s) => `Basic ${s}`),
  ...['sk-', 'sk-ant-api03-', 'ghp_', 'gho_', 'github_pat_', 'xoxb-', 'xoxp-', 'xoxa-', 'AIza'].map(
    (prefix) => plant(body, (s) => prefix + s),
  ),
  plant(chars('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 16), (s) => `AKIA${s}`),
  plant(body, (s) => `eyJhbGciOiJIUzI1NiJ9.${s}.${s}`),
  plant(body, (s) => `v1.eyJ${s}.${s}`),
  plant(chars(`${ALNUM}+/`, 64), (s) => pem('', s.repeat(26))),
  plant(chars(`${ALNUM}+/`, 64), (s) => pem('RSA ', s.repeat(3)).replaceAll('\n', '\\n')),
  plant(password, (s) => `password=${s}`),
  plant(password, (s) => `token: ${s}`),
  plant(password, (s) => `"api_key": "${s} ${s}"`),
  plant(password, (s) => `{"secrets":{"a":["${s}"]},"n":1}`),
  plant(password, (s) => `{\\"client_secret\\":\\"${s}\\"}`),
  plant(password, (s) => `https://user:${s.replaceAll('#', '')}@host.example/path`).map((p) => ({
    ...p,
    secret: p.secret.replaceAll('#', ''),
  })),
  plant(password, (s) => `MY_SERVICE_TOKEN=${s}`),
  plant(password, (s) => `--password ${s}`),
  ...KNOWN.map((value) => fc.constant({ text: value, secret: value })),
);

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const survivor = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('run', 'evt', 'req', 'art', 'lease', 'session', 'mem'),
      chars(CROCKFORD, 26),
    )
    .map(([prefix, id]) => `${prefix}_${id}`),
  fc.uuid(),
  chars('0123456789abcdef', 64),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('2026-02-19', '+1 (555) 123-4567', 'someone.else+tag@mail.example.org'),
  fc
    .array(chars('abcdefghijklm0123456789', 1, 12), { minLength: 3, maxLength: 12 })
    .map((parts) => `/${parts.join('/')}`),
);
const word = fc.constantFrom(
  'the',
  'monkey',
  'tokens',
  'of',
  'basic',
  'risk-free',
  '"quoted"',
  '{',
  '}',
  'é😀',
);
const gap = fc.constantFrom(' ', '\n', ' , ', '\t');

type Piece = Planted | string;
const pieces: fc.Arbitrary<Piece[]> = fc.array(fc.oneof(planted, survivor, word), {
  maxLength: 12,
});

const whole = fc
  .tuple(pieces, fc.array(gap, { minLength: 12, maxLength: 12 }))
  .map(([parts, gaps]) => ({
    text: parts
      .map((part, i) => (typeof part === 'string' ? part : part.text) + (gaps[i] ?? ' '))
      .join(''),
    secrets: parts.flatMap((part) => (typeof part === 'string' ? [] : [part.secret])),
    kept: parts.filter((part) => typeof part === 'string'),
  }));

function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

function stream(text: string, sizes: readonly number[]): string {
  const redacting = createStreamRedactor(redactor);
  const released = cut(text, sizes).map((chunk) => redacting.feed(chunk));
  return released.join('') + redacting.flush();
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

test('no planted secret survives; ids, dates, addresses and paths do; twice is as once', () => {
  fc.assert(
    fc.property(whole, ({ text, secrets, kept }) => {
      const redacted = redactor.redactText(text);

      expect(secrets.filter((secret) => redacted.includes(secret))).toEqual([]);
      expect(kept.filter((part) => !redacted.includes(part))).toEqual([]);
      expect(redactor.redactText(redacted)).toBe(redacted);
    }),
    { numRuns: RUNS },
  );
});

test('no planted secret survives inside JSON text, however often it is escaped', () => {
  fc.assert(
    fc.property(planted, fc.integer({ min: 1, max: 3 }), ({ text, secret }, times) => {
      let json = JSON.stringify({ note: `see ${text} there`, n: 1 });
      for (let turn = 1; turn < times; turn += 1) json = JSON.stringify({ inner: json });

      const redacted = redactor.redactText(json);

      expect(redacted).not.toContain(secret);
      expect(redactor.redactText(redacted)).toBe(redacted);
    }),
    { numRuns: RUNS },
  );
});

test('a stream releases exactly what redacting the whole text gives, however it is cut', () => {
  fc.assert(
    fc.property(whole, sizes, ({ text }, chunking) => {
      expect(stream(text, chunking)).toBe(redactor.redactText(text));
    }),
    { numRuns: RUNS },
  );
});

const fragment = fc.constantFrom(
  ...['token', 'secret', 'password', 'api', 'key', 'Authorization', 'cookie', 'Bearer', 'Basic'],
  ...[
    '=',
    ':',
    ' ',
    '"',
    "'",
    '\\',
    '\n',
    '\t',
    '-',
    '--',
    '_',
    '.',
    '@',
    '://',
    '/',
    '&',
    ',',
    ';',
    '<',
    '(',
    '[',
  ],
  ...[
    ']',
    '[REDACTED]',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'sk-',
    'eyJ',
    'AKIA',
  ],
  ...[
    'abc',
    'hunter22',
    '12345678',
    'ABCDEFGHIJKLMNOP',
    'is',
    'string',
    '${',
    '}',
    'zq-9known-',
    'value',
  ],
);

test('texts made of nothing but the marks of secrets stream as they redact', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 40 }), sizes, (parts, chunking) => {
      const text = parts.join('');

      expect(stream(text, chunking)).toBe(redactor.redactText(text));
    }),
    { numRuns: RUNS * 5 },
  );
});

test('ordinary text is released as it comes, but for what a secret may begin with', () => {
  const redacting = createStreamRedactor(createRedactor());

  const released = ['Hi', ', Tom', ': the dog', ' and its t', 'ail, api_', 'kid.'].map((piece) =>
    redacting.feed(piece),
  );
  const rest = redacting.flush();

  // `g` may go on as `ghp_`, `t` as `token`, `_` as `_pass`.
  expect([...released, rest]).toEqual([
    'Hi',
    ', Tom',
    ': the do',
    'g and its ',
    'tail, api',
    '_kid.',
    '',
  ]);
});

test('a secret longer than the bound is swallowed as it comes, and what follows is released', () => {
  const redacting = createStreamRedactor(createRedactor());
  const chunk = 'x7'.repeat(5_000);
  let released = redacting.feed('use token=');

  for (let turn = 0; turn < 10; turn += 1) released += redacting.feed(chunk);
  released += redacting.feed('tail and the rest of it');
  released += redacting.flush();

  expect(released).toBe('use token=[REDACTED] and the rest of it');
});

const HOSTILE = [
  ...[
    '-----BEGIN PRIVATE KEY-----',
    'token',
    'token=',
    '://a:',
    'eyJaaaaaaaa.',
    'eyJ-',
    '-eyJ',
    'A',
  ],
  ...[
    'sk-',
    'SG.',
    're_',
    'Bearer ',
    'Bearer a',
    '"password":"',
    'key ',
    'secret_',
    '\\"',
    'password=\\',
  ],
  ...['://', 'x@', 'token: ', 'api key ', 'eyJa.b.', '[REDACTED]', 'cookie:a=', ' ', '\\'],
];

test.each(HOSTILE)('a megabyte of %j takes time in proportion to its length', (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
  const startedAt = performance.now();

  redactor.redactText(text);

  // Quadratic work on a megabyte takes minutes; the limit only has to tell the two apart on a busy machine.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
