import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskSecrets } from './secret-references.ts';

const SECRET = 'pä$$ "word/+?';

test.each([
  ['as it is', `<${SECRET}>`, '<[REDACTED]>'],
  ['in a URL', `?key=${encodeURIComponent(SECRET)}&a=1`, '?key=[REDACTED]&a=1'],
  ['in JSON', JSON.stringify({ key: SECRET }), '{"key":"[REDACTED]"}'],
  ['cut off at the end', `<${SECRET.slice(0, 7)}`, '<[REDACTED]'],
])('takes a secret out that stands there %s', (_, text, masked) => {
  expect(maskSecrets(text, [SECRET])).toBe(masked);
});

test('takes a secret out of base64, wherever in the encoded text it stands', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });

  fc.assert(
    fc.property(text, text, fc.constantFrom('base64', 'base64url'), (before, after, encoding) => {
      const line = Buffer.from(`${before}${SECRET}${after}`).toString(encoding as BufferEncoding);
      const masked = maskSecrets(line, [SECRET]);

      const [head = '', tail = '', ...more] = masked.split('[REDACTED]');
      expect(more).toEqual([]);
      // What is left are the neighbours, and less than a byte of the secret at each edge.
      const left = [head, tail].map((text) => Buffer.from(text, 'base64').length);
      expect(left[0]).toBeLessThanOrEqual(Buffer.byteLength(before));
      expect(left[1]).toBeLessThanOrEqual(Buffer.byteLength(after) + 1);
    }),
  );
});
