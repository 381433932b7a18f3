import { expect, test } from 'vitest';
import { MAX_SPOKEN_CHARS, toSpokenText } from './to-spoken-text.ts';

test.each([
  ['Plain text stays.', 'Plain text stays.'],
  ['# Title\n\nA **bold** and *light* `word`.', 'Title A bold and light word.'],
  ['See [the docs](https://example.com/a_b).', 'See the docs.'],
  ['- one\n- two\n> said', 'one two said'],
  ['Run this:\n```sh\nrm -rf /tmp/x\n```\nThen wait.', 'Run this: Then wait.'],
  ['An open fence\n```js\nlet a', 'An open fence'],
  ['3 * 4 is 12, and snake_case_names stay', '3 * 4 is 12, and snake_case_names stay'],
  ['   \n ', ''],
])('%j is read out as %j', (answer, spoken) => {
  expect(toSpokenText(answer)).toBe(spoken);
});

test('a long answer ends with a sentence', () => {
  const spoken = toSpokenText('This is a sentence. '.repeat(1000));

  expect(spoken.length).toBeLessThanOrEqual(MAX_SPOKEN_CHARS);
  expect(spoken).toMatch(/ sentence\.$/);
});

test('nothing that a model may write takes long', () => {
  const nasty = [
    '`'.repeat(100_000),
    '['.repeat(100_000),
    '*a'.repeat(50_000),
    '```\n'.repeat(20_000),
  ];

  const startedMs = performance.now();
  for (const text of nasty) toSpokenText(text);

  expect(performance.now() - startedMs).toBeLessThan(5_000);
});
