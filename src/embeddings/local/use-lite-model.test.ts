import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseUseLite } from './use-lite-file.ts';
import { createUseLite } from './use-lite-model.ts';

/** What the model's own graph answers, computed once with the tensor library that it was published for. */
const REFERENCE = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/embeddings/use-lite.json', import.meta.url), 'utf8'),
) as readonly { readonly text: string; readonly vector: readonly number[] }[];

const file = new URL('../../../dist/use-lite.bin', import.meta.url);
const model = createUseLite(parseUseLite(new Uint8Array(readFileSync(file))));

test('embeds as the published graph does, alone and together', () => {
  const together = model.embed(REFERENCE.map(({ text }) => text));

  REFERENCE.forEach(({ text, vector }, index) => {
    const [alone = []] = model.embed([text]);
    expect(cosine(together[index] ?? [], vector)).toBeGreaterThan(0.99999);
    expect(cosine(alone, together[index] ?? [])).toBeGreaterThan(0.999999);
  });
});

test('any text has a vector of length 1: none, blanks, half characters, more than the model reads', () => {
  const texts = ['', '   ', '\u0000', '\ud800', 'a'.repeat(100_000), '😀'.repeat(5000)];

  const vectors = model.embed(texts);

  expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => 512));
  for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
});

test('more texts than fit together keep their order', () => {
  const texts = Array.from({ length: 300 }, (_, index) => (index % 2 ? '' : `number ${index}`));

  const vectors = model.embed(texts);

  const [last = []] = model.embed([texts[298] ?? '']);
  expect(vectors).toHaveLength(300);
  expect(cosine(vectors[298] ?? [], last)).toBeGreaterThan(0.999999);
});

test('what is no such file is told so', () => {
  expect(() => parseUseLite(new Uint8Array([2, 0, 0, 0, 0x7b, 0x7d]))).toThrow(/not use-lite\/1/);
  expect(() => parseUseLite(new Uint8Array(2))).toThrow();
});

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
