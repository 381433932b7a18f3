import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from './create-redactor.ts';
import { REDACTED } from './redact.ts';
import { createStreamRedactor } from './stream-redactor.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const perByte = (text: string, encode: (hex: string) => string) =>
  Array.from(utf8(text), (byte) => encode(byte.toString(16).padStart(2, '0'))).join('');
const perUnit = (text: string, encode: (code: number) => string) =>
  Array.from({ length: text.length }, (_, index) => encode(text.charCodeAt(index))).join('');
const perChar = (text: string, encode: (code: number) => string) =>
  Array.from(text, (char) => encode(char.codePointAt(0) ?? 0)).join('');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '/': '&sol;',
  '+': '&plus;',
  '=': '&equals;',
  é: '&eacute;',
};

/** How a value may come back from a program, a server or a web page. */
const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'JSON text': json,
  'JSON within JSON': (secret) => json(json(secret)),
  'JSON with escaped slashes': (secret) => json(secret).replaceAll('/', '\\/'),
  'JSON within JSON with escaped slashes': (secret) =>
    json(json(secret).replaceAll('/', '\\/')).replaceAll('/', '\\/'),
  'JSON in ASCII': (secret) =>
    json(secret).replace(/[^ -~]/g, (char) => perUnit(char, (code) => toUnicode(code))),
  'unicode escapes': (secret) => perUnit(secret, toUnicode),
  'upper-case unicode escapes': (secret) =>
    perUnit(secret, (code) => `\\u${toUnicode(code).slice(2).toUpperCase()}`),
  'percent encoding': (secret) => encodeURIComponent(secret),
  'lower-case percent encoding': (secret) =>
    encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
  'mixed percent encoding': (secret) => {
    let count = 0;
    return encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (one) => {
      count += 1;
      return count % 2 === 0 ? one : one.toLowerCase();
    });
  },
  'percent encoding of every byte': (secret) => perByte(secret, (hex) => `%${hex}`),
  'percent encoding twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'a form': (secret) => new URLSearchParams({ v: secret }).toString().slice(2),
  'percent encoding in JSON': (secret) => json(encodeURIComponent(secret)),
  'hex escapes': (secret) => perByte(secret, (hex) => `\\x${hex}`),
  'named HTML entities': (secret) => secret.replace(/[&<>"'/+=é]/g, (char) => NAMED[char] ?? char),
  'decimal HTML entities': (secret) => perChar(secret, (code) => `&#${code};`),
  'padded HTML entities': (secret) => perChar(secret, (code) => `&#${`${code}`.padStart(7, '0')};`),
  'hex HTML entities': (secret) => perChar(secret, (code) => `&#x${code.toString(16)};`),
  'upper-case hex HTML entities': (secret) =>
    perChar(secret, (code) => `&#X${code.toString(16).toUpperCase()};`),
  hex: (secret) => utf8(secret).toString('hex'),
  'upper-case hex': (secret) => utf8(secret).toString('hex').toUpperCase(),
  base64: (secret) => utf8(secret).toString('base64'),
  'base64 after one byte': (secret) => utf8(`:${secret}`).toString('base64'),
  'base64 after two bytes': (secret) => utf8(`u:${secret}`).toString('base64'),
  'base64 amid more': (secret) => utf8(`user:${secret} and more`).toString('base64'),
  base64url: (secret) => utf8(secret).toString('base64url'),
  'base64url after one byte': (secret) => utf8(`:${secret}`).toString('base64url'),
  'base64url after two bytes': (secret) => utf8(`u:${secret}`).toString('base64url'),
  'base64 in JSON with escaped slashes': (secret) =>
    json(utf8(secret).toString('base64')).replaceAll('/', '\\/'),
  'base64 in a URL': (secret) => encodeURIComponent(utf8(secret).toString('base64')),
};

function toUnicode(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

const SECRETS = [
  'pa/ss+wo=rd&1',
  'a"b\\c/d\'e<f>g',
  'line one\nline two\ttab',
  'ünïcödé-pässwörd é',
  'emoji 🔑 inside the key',
  'abc%41d/ef&amp;x\\u0041y',
  'abcdef',
  'Zm9v/YmFy+YmF6==',
  '????????>>>>>>',
];

const encodings = Object.entries(ENCODINGS);

describe.each(encodings)('a known secret in %s', (_, encode) => {
  test.each(SECRETS)('is struck: %j', (secret) => {
    const { redactText } = createRedactor({ secrets: () => [secret] });

    const text = redactText(`before ${encode(secret)} after`);

    // A character at either end of base64 belongs to the secret and to its neighbour.
    expect(text).toMatch(/^before .{0,9}\[REDACTED\].{0,16} after$/);
  });
});

/** Text as keys and passwords are: letters, signs that encodings have to escape, now and then something else. */
const secretText = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'abcXYZ019-_.~') },
      { weight: 3, arbitrary: fc.constantFrom(...'/+=&%"\'<>\\ ?#') },
      { weight: 1, arbitrary: fc.constantFrom('é', '🔑', '\n', '漢') },
    ),
    { minLength: 8, maxLength: 24 },
  )
  .map((chars) => chars.join(''))
  // What a neighbour's escape swallows, or what is no more than escapes, is not what this is about.
  .filter((secret) => /^[abcXYZ]/.test(secret) && /[019]$/.test(secret));

const encoding = fc.constantFrom(...encodings.map(([name]) => name));

test('finds any secret in any encoding among others', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(secretText, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      encoding,
      (secrets, pick, name) => {
        const secret = secrets[pick % secrets.length] ?? '';
        const encoded = ENCODINGS[name]?.(secret) ?? '';
        const redacted = createRedactor({ secrets: () => secrets }).redactText(`( ${encoded} )`);

        expect(redacted).toContain(REDACTED);
        expect(redacted).not.toContain(encoded.slice(3, 9));
      },
    ),
    { numRuns: 400 },
  );
});

test('a stream strikes what the whole text strikes, however it is cut', () => {
  fc.assert(
    fc.property(
      secretText,
      encoding,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
      (secret, name, cuts) => {
        const redactor = createRedactor({ secrets: () => [secret] });
        const text = `( ${ENCODINGS[name]?.(secret) ?? ''} & \\ % ) ${secret.slice(0, 5)}`;
        const stream = createStreamRedactor(redactor);
        let streamed = '';
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const length = cuts[turn % cuts.length] ?? 1;
          streamed += stream.feed(text.slice(at, at + length));
          at += length;
        }

        expect(streamed + stream.flush()).toBe(redactor.redactText(text));
      },
    ),
    { numRuns: 400 },
  );
});

test('strikes overlapping secrets whole, and every occurrence', () => {
  const { redactText } = createRedactor({ secrets: () => ['abcdefgh', 'efghijkl', 'cdefgh'] });

  expect(redactText('xabcdefghijklx efghij abcdefgh,cdefgh')).toBe(
    'x[REDACTED]x efghij [REDACTED],[REDACTED]',
  );
});

test('leaves escapes alone that hold no secret', () => {
  const { redactText } = createRedactor({ secrets: () => ['abc/def'] });
  const text = '%2F \\u002f &sol; &unknown; &#99999999; %zz \\q abc\\/de %C3%A9 \\\\';

  expect(redactText(text)).toBe(text);
});

test('a thousand secrets cost little more than one, also in a hostile text', () => {
  const secrets = Array.from(
    { length: 1_000 },
    (_, index) => `sk/${utf8(`${index} of many secrets ${index * 7919}`).toString('base64')}`,
  );
  const { redactText } = createRedactor({ secrets: () => secrets });
  const size = 1024 * 1024;
  const texts = [
    'The quick brown fox jumps over the lazy dog. '.repeat(size / 45),
    '%25252525'.repeat(size / 9),
    '\\\\\\\\\\u005c'.repeat(size / 10),
    '&amp;#38;amp;'.repeat(size / 13),
    'sk/'.repeat(size / 3),
    `${secrets[0]?.slice(0, -1)} `.repeat(size / 40),
  ];
  redactText(texts[0]?.slice(0, 1_000) ?? '');

  const startedAtMs = performance.now();
  for (const text of texts) redactText(text);

  // Under a second for 6 MiB on a quiet core; anything that is not linear takes minutes.
  expect(performance.now() - startedAtMs).toBeLessThan(15_000);
});
