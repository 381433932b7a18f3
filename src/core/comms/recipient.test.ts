import { expect, test } from 'vitest';
import { digestRecipient, normalizeRecipient } from './recipient.ts';

test.each<[string, string]>([
  ['Ada <ADA@Example.com>', 'ada@example.com'],
  ['"Lovelace, Ada" <ada@example.com> ', 'ada@example.com'],
  [' ada@example.com.', 'ada@example.com'],
  ['ada+news@example.com', 'ada+news@example.com'],
  ['a.da@example.com', 'a.da@example.com'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BU\u0308CHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@\uff45\uff58ample.com', 'ada@example.com'],
  ['ada@example\u200b.com', 'ada@example.com'],
  ['+49 30 123', '+49 30 123'],
  ['a@b/c', 'a@b/c'],
  ['a@', 'a@'],
  ['', ''],
])('writes %j as %j', (recipient, normal) => {
  expect(normalizeRecipient(recipient)).toBe(normal);
});

test('tells recipients apart who may be two', () => {
  const digests = ['ada@example.com', 'ada+news@example.com', 'a.da@example.com'].map(
    digestRecipient,
  );

  expect(new Set(digests).size).toBe(3);
});
