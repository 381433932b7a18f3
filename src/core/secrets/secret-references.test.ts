import { expect, test } from 'vitest';
import { fillSecretReferences } from './secret-references.ts';

const find = async (name: string) => (name === 'a/b' ? '$& {{secret:a/b}}' : undefined);

test.each([
  ['no reference', 'no reference'],
  ['Bearer {{secret:a/b}}!', 'Bearer $& {{secret:a/b}}!'],
  ['{{ secret:a/b }}{{secret:a/b}}', '$& {{secret:a/b}}$& {{secret:a/b}}'],
])('fills in %j, and looks at nothing that it filled in', async (text, filled) => {
  expect(await fillSecretReferences(text, find)).toBe(filled);
});

test.each(['{{secret:c}}', '{{secret:}}'])('refuses %j, which nobody stored', async (text) => {
  await expect(fillSecretReferences(text, find)).rejects.toMatchObject({ code: 'config_invalid' });
});
