import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from './create-redactor.ts';
import { createStreamRedactor } from './stream-redactor.ts';

const redactor = createRedactor({ secrets: () => ['known-value-1'] });

const REFERENCES = [
  '{{secret:github/token}}',
  '{{ secret: github/api_key }}',
  '{"headers":{"Authorization":"Bearer {{secret:a.b-c/token}}","X-Note":"{{secret:x-api-key}}"}}',
  '/tool http.request {"headers":{"X-Api-Key":"{{secret:github/token}}"}}',
  `{{secret:${'n'.repeat(128)}}} and what follows`,
];

test.each(REFERENCES)('leaves %s as it is, in a text, a structure and a stream', (text) => {
  const stream = createStreamRedactor(redactor);
  const streamed = [...text].map((character) => stream.feed(character)).join('') + stream.flush();

  expect(redactor.redactText(text)).toBe(text);
  expect(redactor.redact({ 'X-Note': text, token: '{{secret:a/b}}' }, '').paths).toEqual([]);
  expect(streamed).toBe(text);
});

test.each([
  ['{{secret:known-value-1}}', '{{secret:[REDACTED]}}'],
  ['{secret:hunter2pass}', '{secret:[REDACTED]}'],
  ['{{secret:hunter2pass', '{{secret:[REDACTED]'],
  ['{{secret=hunter2pass}}', '{{secret=[REDACTED]}}'],
  ['{{secret:hunter2pass!!}}', '{{secret:[REDACTED]}}'],
])('takes what is no reference for what it was: %s', (text, redacted) => {
  const stream = createStreamRedactor(redactor);
  const streamed = [...text].map((character) => stream.feed(character)).join('') + stream.flush();

  expect(redactor.redactText(text)).toBe(redacted);
  expect(streamed).toBe(redacted);
});

test('a stream that is cut anywhere says what the whole text would', () => {
  const text = `use {{secret:github/token}} with password=hunter2pass and {{secret:b}}`;

  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 6 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      const stream = createStreamRedactor(redactor);
      const parts = places.slice(1).map((end, at) => stream.feed(text.slice(places[at], end)));

      expect(parts.join('') + stream.flush()).toBe(redactor.redactText(text));
    }),
  );
});
