import { expect, test } from 'vitest';
import { chooseLanguage } from './choose-language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['es', 'es'],
  ['ES-mx, en;q=0.8', 'es'],
  ['en, es', 'en'],
  ['en;q=0.5, es;q=0.6', 'es'],
  ['es-AR;q=0.2, es;q=0.9, en;q=0.5', 'es'],
  ['es;q=0, *', 'en'],
  ['fr, de;q=0.7', 'en'],
  ['es;q=nonsense', 'es'],
  [`${'fr,'.repeat(10_000)}es`, 'en'],
] as const)('of %j it chooses %s', (accepted, language) => {
  expect(chooseLanguage(accepted)).toBe(language);
});
