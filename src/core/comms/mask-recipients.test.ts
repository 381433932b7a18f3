import { expect, test } from 'vitest';
import { createMask, maskObject } from './mask-recipients.ts';

test('masks a recipient that is no address, whatever is special in it', () => {
  const mask = createMask('+49 (30) 1234.5');

  expect(mask('to +49 (30) 1234.5 and +49 (30) 123405')).toBe(
    'to [REDACTED_RECIPIENT] and +49 (30) 123405',
  );
});

test('masks addresses in names and values and leaves everything else as it is', () => {
  const masked = maskObject(
    { a: ['x@y.example', 1, null, true], 'x@y.example': { deep: 'é@ü.example!' }, __proto__: 2 },
    createMask(undefined),
  );

  expect(masked).toEqual({
    a: ['[REDACTED_RECIPIENT]', 1, null, true],
    '[REDACTED_RECIPIENT]': { deep: '[REDACTED_RECIPIENT]!' },
  });
});

test('masks letters that are written as two characters', () => {
  expect(createMask(undefined)('to jose\u0301@e\u0301cole.example')).toBe(
    'to [REDACTED_RECIPIENT]',
  );
});

test('keeps two members whose names became one', () => {
  const masked = maskObject({ 'a@x.example': 1, 'b@x.example': 2 }, createMask(undefined));

  expect(masked).toEqual({ '[REDACTED_RECIPIENT]': 1, '[REDACTED_RECIPIENT] 2': 2 });
});

test('reads a long text without an address once', () => {
  const text = 'a'.repeat(500_000);
  const startedMs = performance.now();

  const masked = createMask('nobody@example.com')(`${text} @`);

  expect(masked).toBe(`${text} @`);
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});
